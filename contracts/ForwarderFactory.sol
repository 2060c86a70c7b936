// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Forwarder} from "./Forwarder.sol";

/// @title Deposit addresses without keys, one a salt, all of which pay one treasury.
/// @notice An address can be paid before its proxy exists; `sweep` makes the proxy when there is
/// something to move. Nothing here can be changed after the deployment: no owner, no upgrade, no other
/// destination than the treasury.
contract ForwarderFactory {
    /// @notice Where everything goes.
    address public immutable treasury;
    /// @notice What the proxies run: the first contract that this one makes (EIP-161, nonce 1).
    address public immutable implementation;

    /// @notice A deposit address could not be emptied: the token refused, or is none.
    event NotSwept(bytes32 indexed salt, address indexed token);

    error NoTreasury();

    constructor(address treasury_) {
        if (treasury_ == address(0)) revert NoTreasury();
        treasury = treasury_;
        implementation = address(new Forwarder(treasury_));
    }

    /// @notice Moves all that the salts' addresses hold of a token to the treasury. Any address may call it.
    /// One address that cannot be emptied does not stop the rest: it is named by `NotSwept` and keeps
    /// what it holds, so a token that blocks a single address cannot hold up a batch.
    /// @param token an ERC-20 contract; 0 is the native coin.
    function sweep(bytes32[] calldata salts, address token) external {
        for (uint256 i = 0; i < salts.length; ++i) {
            bytes32 salt = salts[i];
            address forwarder = addressOf(salt);
            if (forwarder.code.length == 0) Clones.cloneDeterministic(implementation, salt);
            // What a refusal says is not copied: a token could answer more than the gas pays for.
            try Forwarder(payable(forwarder)).flush(token) {} catch {
                emit NotSwept(salt, token);
            }
        }
    }

    /// @notice The deposit address of a salt (EIP-1014), whether its proxy exists or not.
    function addressOf(bytes32 salt) public view returns (address) {
        return Clones.predictDeterministicAddress(implementation, salt);
    }
}

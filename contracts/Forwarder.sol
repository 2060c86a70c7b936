// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title What stands behind every deposit address: it can do nothing but pay the treasury.
/// @notice Each deposit address is a minimal proxy (EIP-1167) of this one contract. It has no owner, no
/// storage and no key, so any address may call it: the caller pays the gas and moves the money to
/// the treasury.
contract Forwarder {
    using SafeERC20 for IERC20;

    /// @dev Stands in the code, which all proxies share; a proxy's storage is never read.
    address private immutable TREASURY;

    error NativeTransferFailed();

    constructor(address treasury) {
        TREASURY = treasury;
    }

    /// @notice Takes the native coin that arrives after the proxy was made.
    receive() external payable {}

    /// @notice Moves all that this address holds of a token to the treasury.
    /// @param token an ERC-20 contract, one that answers nothing included; 0 is the native coin.
    function flush(address token) external {
        if (token == address(0)) {
            (bool isPaid, ) = TREASURY.call{value: address(this).balance}("");
            if (!isPaid) revert NativeTransferFailed();
        } else {
            IERC20(token).safeTransfer(TREASURY, IERC20(token).balanceOf(address(this)));
        }
    }
}

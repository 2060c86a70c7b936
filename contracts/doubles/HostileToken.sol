// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ForwarderFactory} from "../ForwarderFactory.sol";

/// @title A token that turns on the contract that moves it. For tests only.
contract HostileToken {
    enum Manner {
        PLAIN,
        SWEEPS_AGAIN,
        ANSWERS_FALSE,
        ANSWERS_MUCH,
        REFUSES_AT_LENGTH
    }

    /// @dev More than a caller that copied it could pay for.
    uint256 private constant LONG = 1_000_000;

    ForwarderFactory private immutable FACTORY;
    mapping(address holder => uint256) public balanceOf;
    Manner private manner;
    address private pickedOn;
    bytes32[] private salts;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(ForwarderFactory factory) {
        FACTORY = factory;
    }

    function issue(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    /// @param holder who alone is treated so; others are moved plainly.
    /// @param salts_ what SWEEPS_AGAIN sweeps in the middle of a transfer.
    function treat(address holder, Manner manner_, bytes32[] calldata salts_) external {
        pickedOn = holder;
        manner = manner_;
        salts = salts_;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        Manner chosen = msg.sender == pickedOn ? manner : Manner.PLAIN;
        if (chosen == Manner.ANSWERS_FALSE) return false;
        if (chosen == Manner.REFUSES_AT_LENGTH) {
            assembly {
                revert(0, LONG)
            }
        }
        if (chosen == Manner.SWEEPS_AGAIN) {
            manner = Manner.PLAIN;
            FACTORY.sweep(salts, address(this));
        }
        if (balanceOf[msg.sender] < value) value = balanceOf[msg.sender];
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        if (chosen == Manner.ANSWERS_MUCH) {
            assembly {
                mstore(0, 1)
                return(0, LONG)
            }
        }
        return true;
    }
}

// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Stands for USDT on the chains of tests and of the sandbox. Never deployed elsewhere.
/// @notice What is odd about USDT on Ethereum, and nothing more: `transfer` answers nothing, the issuer
/// may take a fee of each transfer, stop all of them, and block an address.
contract UsdtDouble {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    address public immutable issuer;
    uint256 public totalSupply;
    mapping(address holder => uint256) public balanceOf;
    mapping(address holder => bool) public isBlackListed;
    bool public paused;
    /// @notice Ten-thousandths of each transfer that the issuer keeps.
    uint256 public basisPointsRate;

    event Transfer(address indexed from, address indexed to, uint256 value);

    error IssuerOnly();
    error Refused();

    modifier onlyIssuer() {
        if (msg.sender != issuer) revert IssuerOnly();
        _;
    }

    constructor(address issuer_) {
        issuer = issuer_;
    }

    function transfer(address to, uint256 value) external {
        if (paused || isBlackListed[msg.sender]) revert Refused();
        uint256 fee = (value * basisPointsRate) / 10_000;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(msg.sender, to, value - fee);
        if (fee == 0) return;
        balanceOf[issuer] += fee;
        emit Transfer(msg.sender, issuer, fee);
    }

    function issue(address to, uint256 value) external onlyIssuer {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function setFee(uint256 rate) external onlyIssuer {
        basisPointsRate = rate;
    }

    function setPaused(bool isPaused) external onlyIssuer {
        paused = isPaused;
    }

    function setBlackListed(address holder, bool isListed) external onlyIssuer {
        isBlackListed[holder] = isListed;
    }
}

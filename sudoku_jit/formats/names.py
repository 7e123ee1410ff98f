"""The names that options take, apart from the code behind them: no numpy is needed to parse them."""

from typing import Literal

Style = Literal["block", "line"]
Newline = Literal["lf", "crlf"]

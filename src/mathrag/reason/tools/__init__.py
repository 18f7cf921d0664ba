"""Tools made from formulas: a schema to show, a call that computes, errors as values."""

from mathrag.reason.tools.parameters import Parameter
from mathrag.reason.tools.results import ToolError, ToolResult
from mathrag.reason.tools.tool import Tool, make_tool, standard_constants

__all__ = ["Parameter", "Tool", "ToolError", "ToolResult", "make_tool", "standard_constants"]

"""Every threshold of the formula reader, in one place. Lengths are in ems of the line they are measured on.

The values come from how formulas are set, not from one document: TeX places scripts, bars and limits by the parameters
of the math font, and other typesetters follow the same proportions within the margins given here.
"""

from __future__ import annotations

# Hostile input: more glyphs than any formula has, deeper than any formula is nested.
MOST_GLYPHS = 3_000
MOST_RULES = 200
MOST_FENCES = 250
DEEPEST_NESTING = 40

# Height of the axis (the minus sign, the fraction bar) above the baseline: 0.25 in TeX, up to 0.31 in other math fonts.
AXIS = 0.25
# How far a glyph may stand off its line's baseline and still belong to it.
BASELINE_TOLERANCE = 0.12

# A script is about 0.7 of its base.
SCRIPT_SIZE = 0.72
# From the first ratio on type is of the size of its line, up to the second it is a script; between, size says neither.
SAME_SIZE_FROM = 0.9
SCRIPT_SIZE_TO = 0.86
# A script of a script is smaller than this beside the line, a script larger.
SECOND_SCRIPT_SIZE = 0.58
# Type this much smaller than the text is set no smaller for its own scripts.
SMALLEST_SIZE = 0.8
# Where scripts cannot get smaller, only their shift tells them.
SMALLEST_SHIFT = 0.06
# Baseline shifts of scripts on a letter, up and down: the least and the most that the math fonts of TeX prescribe.
SUPERSCRIPT_SHIFT = (0.26, 0.55)
SUBSCRIPT_SHIFT = (0.1, 0.34)
# On a tall base a superscript hangs below its top, a subscript stands at its bottom.
SUPERSCRIPT_DROP = 0.28
SUBSCRIPT_DROP = 0.05
TALL_SHIFT_TOLERANCE = 0.3
# White between a row of scripts and the row they belong to; between two lines there is more.
SCRIPT_ROW_GAP = 0.4
# Beginning a script costs a little, so that what fits the line as well stays on it.
SCRIPT_PRIOR = 0.05
# A closing delimiter on a level without an opening one, while another level has one.
STRAY_DELIMITER = 0.12
# Two readings of one script whose costs differ by less are reported as unclear.
UNCLEAR_LEVEL = 0.06
# Nothing that is farther from its place than this is attached in silence.
DOUBTFUL_LEVEL = 0.16

# Where every other place is worse by the second, so far is not doubtful.
LOOSE_LEVEL = 0.22
OTHER_LEVEL = 0.45

# Fraction bars: how far above and below the bar the nearest ink may be, how far its middle may stand out at the ends,
# and how far off centre the parts may be.
BAR_GAP = 0.8
BAR_OVERHANG = 0.08
OFF_CENTRE = 0.35
# Ink that continues the numerator or denominator away from the bar.
STACK_GAP = 0.3
# An overline lies close to what it covers.
OVERLINE_GAP = 0.35
# A drawn line shorter than this with nothing above or below is a minus sign.
LONGEST_MINUS = 1.1

# The bar of a root starts where the root sign ends, both ways.
ROOT_JOIN = 0.25

# Accents: the gap to the base, and how far off the middle of the base they may be.
ACCENT_GAP = 0.35
ACCENT_OFFSET = 0.3
# So far off the middle of its base an accent may be over the gap to the next letter.
ACCENT_BETWEEN = 0.2

# Limits: the gap between a big sign and what stands over or under it, how far off its middle they may be, how large in
# parts of the line's size (a script has 0.7), and the white between words of one limit.
LIMIT_GAP = 0.75
LIMIT_OFFSET = 0.3
LIMIT_SIZE = 0.9
LIMIT_WORD_GAP = 0.6

# A delimiter this much higher than the type inside may hold several rows; one higher than the second is printed with
# \left and \right.
TALL_DELIMITER = 1.25
# A delimiter of plain type is no higher than this and its middle so far above its baseline; others are centred on the
# axis, wherever their font puts the baseline.
PLAIN_DELIMITER = 1.25
PLAIN_DELIMITER_MIDDLE = (0.12, 0.42)
STRETCHED_DELIMITER = 1.25
# A delimiter in type larger than that of all letters around it by more than this was stretched.
LARGEST_TYPE = 1.08
# White between the columns of a matrix: one em as TeX sets it, and more than beside any relation.
COLUMN_GAP = 0.55
# Two rows in parentheses are a binomial coefficient if their baselines are this far apart, a column if nearer.
BINOMIAL_ROWS = 1.3

# Gaps on a line. A space between words is a third of an em and shrinks to a fifth; letters of one word touch, but for
# kerning; a thin space, as between number and unit, is a sixth; a quad, as between two formulas, is one em.
WORD_GAP = 0.2
LETTER_GAP = 0.1
THIN_GAP = 0.12
DIGIT_GAP = 0.1
WIDE_GAP = 0.85
# White that parts two statements: more than beside a relation is left only where it stands.
STATEMENT_GAP = 0.3
# Farther apart than a formula and its condition: formulas of their own.
APART = 2.4
# Beside an operator or a relation nobody leaves so much.
HOLE = 1.0
# An equation number stands at least so far from the formula.
NUMBER_GAP = 1.5

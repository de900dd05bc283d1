"""Prints the figures that Tests/StatisticsTests/RiskFigureTests.swift holds, by numpy and scipy alone.

Conventions: sample deviation (n - 1), 365 periods a year, no risk-free rate, downside deviation over all
periods, the start of the series as a height, linear interpolation of the historical quantile.
"""

import numpy
from scipy import stats

OURS = numpy.array(
    [0.012, -0.034, 0.005, 0.021, -0.008, 0.0, 0.017, -0.019, 0.028, -0.041, 0.009, 0.013])
MARKET = numpy.array(
    [0.010, -0.020, 0.001, 0.015, -0.012, 0.004, 0.011, -0.022, 0.019, -0.030, 0.006, 0.002])
HEDGE = numpy.array(
    [-0.003, 0.015, -0.006, -0.011, 0.009, 0.002, -0.004, 0.013, -0.017, 0.022, -0.001, -0.005])
YEAR = 365

deviation = OURS.std(ddof=1)
downside = numpy.sqrt((numpy.minimum(OURS, 0) ** 2).mean())
heights = numpy.concatenate([[1], numpy.cumprod(1 + OURS)])
fall = (heights / numpy.maximum.accumulate(heights) - 1).min()
annual = heights[-1] ** (YEAR / len(OURS)) - 1
figures = {
    "volatility": deviation * YEAR**0.5,
    "sharpe": OURS.mean() / deviation * YEAR**0.5,
    "sortino": OURS.mean() * YEAR / (downside * YEAR**0.5),
    "maximum drawdown": fall,
    "annual return": annual,
    "calmar": annual / -fall,
    "historical value at risk": numpy.percentile(OURS, 5),
    "parametric value at risk": stats.norm.ppf(0.05, OURS.mean(), deviation),
    "beta": numpy.cov(OURS, MARKET, ddof=1)[0, 1] / MARKET.var(ddof=1),
    "range volatility": numpy.log1p(OURS).std(ddof=1) * len(OURS) ** 0.5,
}
for name, value in figures.items():
    print(f"{name}: {float(value)!r}")
print("correlation:", numpy.corrcoef([OURS, MARKET, HEDGE]).tolist())

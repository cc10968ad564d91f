package trace

import (
	"math"
	"time"
)

// Quantiles is what MUD is meant to be. MUD asks for no worst windows, and without them
// the accumulator returns before it comes to the distribution, so that MUD answers the
// MMU for each quantile. This asks for one window, which changes nothing else.
func (c *MMUCurve) Quantiles(window time.Duration, shares []float64) []float64 {
	most := shares[0]
	for _, share := range shares {
		most = max(most, share)
	}
	var total int64
	for _, s := range c.series {
		if d := s.util[len(s.util)-1].Time - s.util[0].Time; d >= int64(window) {
			total += d - int64(window)
		}
	}
	mass := float64(total) * most
	acc := accumulator{mmu: 1, bound: 1, nWorst: 1, preciseMass: mass, mud: new(mud)}
	acc.mud.setTrackMass(mass)
	c.mmu(window, &acc)
	var means []float64
	for _, share := range shares {
		mean, _ := acc.mud.invCumulativeSum(float64(total) * share)
		if math.IsNaN(mean) {
			mean = acc.mmu
		}
		means = append(means, mean)
	}
	return means
}

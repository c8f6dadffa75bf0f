/** How many test files run at the same time: those of each tier, and journeys. */
export const workers = { unit: 3, journeys: 2, engine: 3, timing: 2 }

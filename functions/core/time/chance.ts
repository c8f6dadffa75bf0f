import type { Needs } from '../ports/ports.ts'

/** Returns a number from 0 to 1, which spreads work that would otherwise begin at the same time. */
export const chance = ({ random }: Needs<'random'>): number => (random.bytes(1)[0] ?? 0) / 255

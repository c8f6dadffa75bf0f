/** How long an agent's certificate is good. Milliseconds. */
export const certificateLife = 30 * 24 * 60 * 60 * 1000

/** How far a certificate is dated back, for clocks that are slow. Milliseconds. */
export const backDated = 60 * 60 * 1000

/**
 * When a certificate that ends at `expiresAt` is to be renewed: at half its life, give or take a tenth, so that a fleet
 * enrolled in one hour is not renewed in one. `random` from 0 to 1. Milliseconds since the epoch.
 */
export function renewalTime(expiresAt: number, random: number): number {
  const left = certificateLife * (0.5 + (random - 0.5) * 0.2)
  return expiresAt - left
}

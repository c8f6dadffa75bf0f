/** Lifetime of an agent's certificate in milliseconds. */
export const certificateLife = 30 * 24 * 60 * 60 * 1000

/** How far certificates are backdated, for machines whose clock is slow. Milliseconds. */
export const certificateBackdating = 60 * 60 * 1000

/**
 * Returns when to renew a certificate that expires at `expiresAt`, in milliseconds since the epoch:
 * at half its life, plus or minus a tenth of its life. `random` (0 to 1) spreads the renewals of a
 * fleet that was enrolled within an hour.
 */
export function renewalTime(expiresAt: number, random: number): number {
  const left = certificateLife * (0.5 + (random - 0.5) * 0.2)
  return expiresAt - left
}

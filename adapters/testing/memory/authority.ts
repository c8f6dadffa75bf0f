import { invalid } from '../../../functions/core/errors.ts'
import { certificateLife } from '../../../functions/core/hosts/renewal.ts'
import type { Authority } from '../../../functions/core/ports/authority.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'

/**
 * Returns an authority that issues the text `certificate <n> of <host>` for any request with a PEM
 * header.
 */
export function memoryAuthority(clock: Clock): Authority {
  let issued = 0
  return {
    certificate: async () => 'authority',
    fingerprint: async () => 'ab'.repeat(32),
    async sign(request, hostId) {
      if (!request.startsWith('-----BEGIN CERTIFICATE REQUEST-----')) {
        throw invalid('body.csr: a signing request for a P-256 key is expected, PEM')
      }
      issued += 1
      return {
        certificate: `certificate ${issued} of ${hostId}`,
        serial: issued.toString(16).toUpperCase().padStart(32, '0'),
        expiresAt: clock.now() + certificateLife,
      }
    },
  }
}

import type { OutboundAnswer } from '../net/request.ts'
import { allowedUrl } from './allowed-url.ts'
import { limited, refused } from './problems.ts'
import type { RegistryRequest, RegistrySession } from './session.ts'

/** Redirects in a row that are followed. */
const redirectsMax = 3

/**
 * Sends a request and follows redirects to where a registry may send us.
 *
 * @throws what `RegistrySession.send` throws, and RegistryLimited
 */
export async function follow(
  session: RegistrySession,
  request: RegistryRequest,
): Promise<OutboundAnswer> {
  let answer = await session.send(request)
  for (let count = 0; count < redirectsMax && isRedirect(answer); count += 1) {
    const to = allowedUrl(answer.headers.location, session.origin)
    if (!to) throw refused('it redirects to an address that must not be asked')
    answer = await session.send({ ...request, to })
  }
  if (answer.status === 429) throw limited(answer)
  return answer
}

const isRedirect = ({ status }: OutboundAnswer) => [301, 302, 303, 307, 308].includes(status)

import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import type { HttpEvent } from '../../functions/kit/event.ts'

/**
 * Returns the event with `wait=false` if the route has that parameter and waiting was not refused:
 * the response to a deployment that has started fits into the time of a function, the end of a long
 * one does not. A query that the route refuses stays as it is. So does one of a route whose 202 has
 * another body: a client that did not ask for it does not know it.
 */
export function withoutWait(
  event: HttpEvent,
  { query, accepts }: Pick<EndpointFacts, 'query' | 'accepts'>,
): HttpEvent {
  if (!query || !('wait' in query.shape) || accepts) return event
  const pairs = event.rawQueryString.split('&').filter(Boolean)
  const others = pairs.filter((pair) => pair !== 'wait=true')
  const isOther = others.some((pair) => pair.split('=')[0] === 'wait')
  if (isOther || pairs.length - others.length > 1) return event
  return { ...event, rawQueryString: [...others, 'wait=false'].join('&') }
}

/**
 * Returns the event with a `wait_seconds` that leaves time to answer in: a read may answer earlier
 * than it was asked to. A value that the route refuses stays as it is.
 *
 * @param remaining milliseconds until the process is killed
 */
export function withShortWait(
  event: HttpEvent,
  { query }: Pick<EndpointFacts, 'query'>,
  remaining: number,
): HttpEvent {
  if (!query || !('wait_seconds' in query.shape)) return event
  const most = Math.max(0, Math.floor((remaining - reserve) / 1000))
  const shorten = (pair: string) => {
    const [, seconds] = /^wait_seconds=(\d{1,2})$/.exec(pair) ?? []
    const isAccepted = query.safeParse({ wait_seconds: seconds }).success
    return isAccepted && Number(seconds) > most ? `wait_seconds=${most}` : pair
  }
  return { ...event, rawQueryString: event.rawQueryString.split('&').map(shorten).join('&') }
}

/** For the last read and the response. Milliseconds. */
const reserve = 4_000

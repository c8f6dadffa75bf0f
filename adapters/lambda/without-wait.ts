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

import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import type { HttpEvent } from '../../functions/kit/event.ts'

/**
 * Returns the event with `wait=false` if the route has that parameter and waiting was not refused:
 * the response to a deployment that has started fits into the time of a function, the end of a long
 * one does not. A query that the route refuses stays as it is.
 */
export function withoutWait(event: HttpEvent, { query }: Pick<EndpointFacts, 'query'>): HttpEvent {
  if (!query || !('wait' in query.shape)) return event
  const pairs = event.rawQueryString.split('&').filter(Boolean)
  const others = pairs.filter((pair) => pair !== 'wait=true')
  const isOther = others.some((pair) => pair.split('=')[0] === 'wait')
  if (isOther || pairs.length - others.length > 1) return event
  return { ...event, rawQueryString: [...others, 'wait=false'].join('&') }
}

import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import type { HttpEvent } from '../../functions/kit/event.ts'

/**
 * Returns the event with `wait=false` if the route has that parameter: the response to a deployment
 * that has started fits into the time of a function, the end of a long one does not.
 */
export function withoutWait(event: HttpEvent, { query }: Pick<EndpointFacts, 'query'>): HttpEvent {
  if (!query || !('wait' in query.shape)) return event
  const parameters = new URLSearchParams(event.rawQueryString)
  parameters.set('wait', 'false')
  return { ...event, rawQueryString: parameters.toString() }
}

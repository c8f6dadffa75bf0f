import { type Failure, notFound } from '../../functions/core/errors.ts'
import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import type { GatewayEvent } from './event.ts'

/**
 * Returns why path parameters are refused, or undefined. The gateway decodes them, possibly twice,
 * after it has chosen the route, so one can have a slash, be a dot segment or have a control
 * character. Handlers never see these on any adapter.
 */
export function parameterRefusal(
  { pathParameters = {} }: Pick<GatewayEvent, 'pathParameters'>,
  { encodedSlashes = false }: Pick<EndpointFacts, 'encodedSlashes'>,
): Failure | undefined {
  for (const value of Object.values(pathParameters)) {
    if (value === undefined) continue
    if (/[\u0000-\u001f\u007f\\]/.test(value)) {
      return notFound('no route has a control character or a backslash in its path')
    }
    const segments = value.split('/')
    if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
      return notFound('no route has an empty segment or a dot segment in its path')
    }
    if (segments.length > 1 && !encodedSlashes) {
      return notFound('this route has no encoded slash in its path')
    }
  }
  return undefined
}

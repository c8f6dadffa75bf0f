import middy from '@middy/core'
import type { Caller } from '../core/access/account.ts'
import { scopePorts } from '../core/access/scope.ts'
import { forbidden } from '../core/errors.ts'
import { type AuthenticationPorts, authenticate } from './authenticate.ts'
import type { Access, EndpointFacts, Input } from './endpoint.ts'
import type { Handler, HandlerContext, HttpEvent, HttpResponse } from './event.ts'
import { failed } from './failures.ts'
import { answered, type Outcome } from './respond.ts'
import { validate } from './validate.ts'

type Run = (input: Input<Access, any, any, any>, ports: object) => Outcome | Promise<Outcome>

/** What the steps of a request hand on to each other. */
interface Work {
  event: HttpEvent
  ports: AuthenticationPorts
  facts: EndpointFacts
  context: HandlerContext
  caller?: Caller
  input?: Input<Access, any, any, any>
}

/**
 * The steps of every request, in the order in which a caller must learn of them: credential (401), permission (403),
 * input (400); then `run`, which finds what exists (404, and 403 outside the caller's scope) and does the work.
 */
export function pipeline(facts: EndpointFacts, run: Run, ports: AuthenticationPorts): Handler {
  const handler = middy<Work, HttpResponse>()
    .use({ before: (request) => identify(request.event) })
    .use({ before: (request) => permit(request.event) })
    .use({ before: (request) => parse(request.event) })
    .use({
      onError: (request) => {
        request.response = failed(request.error, request.event.event, request.event.context)
      },
    })
    .handler(async ({ input, caller, event }: Work) => {
      const scoped = caller ? scopePorts(ports, caller) : ports
      return answered(await run(input!, scoped), facts, event)
    })
  return (event, context = {}) =>
    handler({ event, ports, facts, context }, context as never) as Promise<HttpResponse>
}

async function identify(work: Work): Promise<void> {
  if (work.facts.access === 'public') return
  work.caller = await authenticate(work.event.headers.authorization, work.ports)
  work.context.user = work.caller.account.username
}

function permit({ facts, caller }: Work): void {
  if (!caller || facts.access === 'signed-in') return
  if (!caller.permissions.has(facts.access)) {
    throw forbidden(`your role ${caller.account.role} does not have the permission ${facts.access}`)
  }
}

async function parse(work: Work): Promise<void> {
  const { event, facts } = work
  work.input = {
    ...(await validate(facts, event)),
    caller: work.caller as Caller,
    request: {
      id: event.requestContext.requestId,
      ip: event.requestContext.http.sourceIp,
      userAgent: event.requestContext.http.userAgent,
      headers: event.headers,
    },
  }
}

import middy from '@middy/core'
import { must } from '../compose/must.ts'
import { allows, notAllowed, type Required } from '../core/access/grant.ts'
import { composeOnBehalfOf, scopePorts } from '../core/access/scope.ts'
import { auditOnAcquire } from '../core/audit/audit-on-acquire.ts'
import { trackHosts } from '../core/audit/track-hosts.ts'
import type { Caller } from '../core/records/account.ts'
import type { AuditNote } from './audit-row.ts'
import { type AuthenticationPorts, authenticate } from './authenticate.ts'
import { bytesOf } from './body.ts'
import type { AnyInput, EndpointFacts } from './endpoint-facts.ts'
import { ifMatchOf } from './entity-tag.ts'
import type { Handler, HandlerContext, HttpEvent, HttpResponse } from './event.ts'
import { failed } from './failures.ts'
import { type Recorded, type Recorder, recorder } from './recorder.ts'
import type { Outcome } from './reply.ts'
import { toResponse } from './respond.ts'
import { idempotencyKeyOf, runOnce } from './run-once.ts'
import { type Validated, validator } from './validate.ts'

type Run = (input: AnyInput, ports: object) => Outcome | Promise<Outcome>

/** The state of a request, which its steps pass on. */
interface Work extends Recorded {
  context: HandlerContext
  caller?: Caller
  input?: AnyInput
  /** True once the endpoint has returned. */
  hasRun?: boolean
}

/**
 * Makes the handler that runs the steps of every request, in the order in which their errors must
 * be reported: credential (401), permission (403), input (400), then `run`. `run` finds what exists
 * (404, and 403 outside the caller's scope) and does the work. A change is recorded before and
 * after it is made. An attempt that is refused because of its caller is recorded too.
 */
export function pipeline(facts: EndpointFacts, run: Run, ports: AuthenticationPorts): Handler {
  const validate = validator(facts)
  const records = recorder(facts, ports)
  const steps = middy<Work, HttpResponse>()
  if (facts.access !== 'public') {
    const { access } = facts
    steps.use({ before: ({ event: work }) => admit(work, access, ports) })
  }
  steps.use({ before: ({ event: work }) => parse(work, validate, { records, facts }) })
  steps.use({
    onError: async (request) => {
      const { error, event: work } = request
      const response = failed(error, work.event, work.context)
      const trouble = await records.fail(work, response)
      work.context.error ??= trouble
      request.response = response
    },
  })
  const handler = steps.handler((work: Work) => {
    const { caller } = work
    // Work that may take minutes has limits of its own, such as one deployment per stack.
    const isLimited = !facts.noTimeout || facts.limitsCaller
    if (!caller || !isLimited) return runAtMostOnce(work)
    return ports.callerLimiter.run(caller.account.id, () => runAtMostOnce(work))
  })
  const runAtMostOnce = async (work: Work): Promise<HttpResponse> => {
    const { caller, event } = work
    const key = idempotencyKeyOf(event, facts)
    if (!caller || key === undefined) return runEndpoint(work)
    const request = { event, caller, input: must(work.input, 'parsed input'), facts }
    return runOnce(key, request, ports, {
      run: () => runEndpoint(work),
      hasRun: () => work.hasRun === true,
    })
  }
  const runEndpoint = async (work: Work): Promise<HttpResponse> => {
    const { caller, event } = work
    const input = must(work.input, 'parsed input')
    const scoped = caller ? scopePorts(ports, caller) : ports
    const queued = caller ? composeOnBehalfOf(scoped, caller) : scoped
    if (!records.changes(work) && !facts.readsSecrets) {
      return toResponse(await run(input, queued), facts, event)
    }
    const hosts = new Set<string>()
    work.hosts = hosts
    const noting = trackHosts(queued, hosts)
    if (!records.changes(work)) {
      const read = toResponse(await run(input, noting), facts, event)
      await records.read(work, read.statusCode)
      return read
    }
    if (facts.beginsWithLease || facts.recordedOnce) records.defer(work)
    else await input.begin()
    const given = facts.beginsWithLease ? auditOnAcquire(noting, input.begin) : noting
    const outcome = await run(input, given)
    work.hasRun = true
    const response = toResponse(outcome, facts, event)
    await records.complete(work, outcome, response.statusCode)
    return response
  }
  return (event, context = {}) =>
    handler({ event, context }, context as never) as Promise<HttpResponse>
}

async function admit(work: Work, access: Required, ports: AuthenticationPorts): Promise<void> {
  const caller = await authenticate(work.event.headers.authorization, ports)
  work.caller = caller
  work.context.user = caller.account.username
  if (!allows(caller, access)) throw notAllowed(caller, access)
}

/**
 * Returns a promise only if there is a body to read: a synchronous step makes a request cheaper.
 */
function parse(
  work: Work,
  validate: ReturnType<typeof validator>,
  endpoint: Served,
): void | Promise<void> {
  const validated = validate(work.event)
  if (!(validated instanceof Promise)) {
    work.input = inputOf(work, validated, endpoint)
    return undefined
  }
  return validated.then((value) => {
    work.input = inputOf(work, value, endpoint)
  })
}

/** The facts of an endpoint and the recorder of its requests. */
interface Served {
  facts: EndpointFacts
  records: Recorder
}

function inputOf(work: Work, { path, query, body }: Validated, { records, facts }: Served) {
  const { event, caller } = work
  let beginning: Promise<void> | undefined
  const { requestId, http } = event.requestContext
  return {
    path,
    query,
    body,
    caller: caller as Caller,
    ifMatch: ifMatchOf(event, facts),
    get signal() {
      return work.context.gone ?? new AbortController().signal
    },
    bytes: () => bytesOf(event),
    note: (more: AuditNote) => {
      work.note = { ...work.note, ...more }
    },
    begin: () => {
      beginning ??= caller ? records.start(work) : Promise.resolve()
      return beginning
    },
    trail: () => records.trail(work),
    request: {
      id: requestId,
      ip: http.sourceIp,
      userAgent: http.userAgent,
      headers: facts.readsCookies ? event.headers : withoutCookies(event.headers),
    },
  }
}

/** A browser adds its cookies to every request, also to those that another site made it send. */
function withoutCookies(headers: HttpEvent['headers']): HttpEvent['headers'] {
  if (headers.cookie === undefined) return headers
  const { cookie: _, ...rest } = headers
  return rest
}

import { Semaphore } from '../../functions/core/semaphore.ts'
import { ApiFailure } from '../failure.ts'
import type {
  FeedPath,
  FeedRequestOf,
  Method,
  Optional,
  PathOf,
  RequestOf,
  ResponseOf,
} from './endpoints.ts'
import { type Feed, openFeed } from './feed.ts'
import { type Answer, fillPath, type HttpRequest, send, type Target } from './http.ts'
import { accept, refused } from './read-response.ts'
import type { RequestOptions, Values } from './request.ts'

/** An endpoint's response: the parsed value, and the raw answer. */
export interface Reply<T> {
  value: T
  answer: Answer
}

/**
 * The REST API with a credential. Every method throws a `CliFailure` unless the response is a
 * success.
 *
 * @example const { value } = await client.get('/stacks/{name}', { path: { name: 'shop' } })
 */
export interface Client {
  server: string
  get: Call<'GET'>
  post: Call<'POST'>
  put: Call<'PUT'>
  delete: Call<'DELETE'>
  /** Sends a request to a path below `/api/v1` that is not checked, and returns the raw answer. */
  raw(
    method: Method,
    path: string,
    options?: RequestOptions & Pick<Values, 'query' | 'body'>,
  ): Promise<Answer>
  /** Opens a feed where the service says that it is, with a ticket of its own. */
  feed<P extends FeedPath>(path: P, request: FeedRequestOf<P>): Promise<Feed>
}

/** The service that a command talks to, and its credential. */
export interface Session {
  target: Target
  /** Returns the credential, renewed if necessary. Throws `notLoggedIn` if there is none. */
  token(): Promise<string>
  /** Returns a credential other than `refused`, or undefined if none can be obtained. */
  renew(refused: string): Promise<string | undefined>
}

type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: Optional<RequestOf<M, P> & Pick<RequestOptions, 'timeout' | 'signal'>>
) => Promise<Reply<ResponseOf<M, P>>>

/**
 * Makes the client of a session. If the credential is refused, it is renewed once and the request
 * is sent again: a refused request had no effect.
 */
export function makeClient(session: Session): Client {
  return {
    server: session.target.server,
    get: caller(session, 'GET'),
    post: caller(session, 'POST'),
    put: caller(session, 'PUT'),
    delete: caller(session, 'DELETE'),
    raw: rawCaller(session),
    feed: feedOpener(session),
  }
}

/** Sends a request with the credential. Returns the answer, whatever its status. */
async function sendWithToken(
  { target, token, renew }: Session,
  request: Omit<HttpRequest, 'token'>,
): Promise<Answer> {
  const first = await token()
  const answer = await send(target, { ...request, token: first })
  if (answer.status !== 401) return answer
  const next = await renew(first)
  return next ? send(target, { ...request, token: next }) : answer
}

function rawCaller(session: Session): Client['raw'] {
  return async (method, path, options = {}) => {
    const answer = await sendWithToken(session, { ...options, method, path })
    if (answer.status >= 200 && answer.status < 300) return answer
    throw refused(answer, session.target)
  }
}

function caller<M extends Method>(session: Session, method: M): Call<M> {
  const call = async (path: string, { path: values, ...options }: Values & RequestOptions = {}) => {
    const answer = await sendWithToken(session, {
      ...options,
      method,
      path: fillPath(path, values),
    })
    return { value: accept(answer, session.target), answer }
  }
  // The types of a path are known where it is written, in the calls.
  return call as Call<M>
}

/** Milliseconds. A connection that was lost is tried again soon. */
const ticketTimeout = 20_000
/** The service refuses a caller that has more than two hundred requests at a time. */
const ticketsAtATime = 8

/** A ticket opens one feed. The credential is sent to the server alone. */
function feedOpener(session: Session): Client['feed'] {
  const post = caller(session, 'POST')
  const turns = new Semaphore(ticketsAtATime)
  const newTicket = async () =>
    (await turns.run(() => post('/ws/ticket', { timeout: ticketTimeout }))).value
  const open = async (path: string, { path: values, query }: Values) => {
    const resource = { path: fillPath(path, values), query }
    const ticket = await newTicket()
    try {
      return await openFeed(session.target, resource, ticket)
    } catch (error) {
      // The service may lose a ticket while it is used.
      if (!(error instanceof ApiFailure) || error.status !== 401) throw error
      return openFeed(session.target, resource, await newTicket())
    }
  }
  return open as Client['feed']
}

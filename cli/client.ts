import { accept } from './answer.ts'
import { ApiFailure } from './failure.ts'
import { type Feed, type FeedRequest, openFeed } from './feed.ts'
import { type Answer, type ApiRequest, send } from './http.ts'
import type { Session } from './session.ts'

/** An endpoint's response: the parsed value, and the raw answer. */
export interface Reply<T> {
  value: T
  answer: Answer
}

type Options = Omit<ApiRequest, 'method' | 'path' | 'token'>

/**
 * The REST API with a credential. Every method throws a `CliFailure` unless the response is a
 * success.
 */
export interface Client {
  server: string
  get<T>(path: string, options?: Options): Promise<Reply<T>>
  post<T>(path: string, options?: Options): Promise<Reply<T>>
  put<T>(path: string, options?: Options): Promise<Reply<T>>
  delete<T>(path: string, options?: Options): Promise<Reply<T>>
  feed(path: string, query?: FeedRequest['query']): Promise<Feed>
}

/**
 * Makes the client of a session. If the credential is refused, it is renewed once and the request
 * is sent again: a refused request had no effect.
 */
export function makeClient(session: Session): Client {
  const call = (method: ApiRequest['method']) =>
    async function request<T>(path: string, options: Options = {}): Promise<Reply<T>> {
      const token = await session.token()
      let answer = await send(session.target, { ...options, method, path, token })
      if (answer.status === 401) {
        const next = await session.renew(token)
        if (next) answer = await send(session.target, { ...options, method, path, token: next })
      }
      return { value: accept(answer, session.target) as T, answer }
    }
  return {
    server: session.target.server,
    get: call('GET'),
    post: call('POST'),
    put: call('PUT'),
    delete: call('DELETE'),
    async feed(path, query) {
      const token = await session.token()
      try {
        return await openFeed(session.target, { path, query, token })
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 401) throw error
        const next = await session.renew(token)
        if (!next) throw error
        return openFeed(session.target, { path, query, token: next })
      }
    },
  }
}

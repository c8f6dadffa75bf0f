import type { Json } from '../../../adapters/testing/json.ts'
import type { Cloud } from './cloud.ts'

/** A request through the front door of the functions. */
export interface Sent {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  /** An access token or an API token. */
  as?: string
}

/** A response. `json` is undefined if it has another content type. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  json: Json
}

/** Sends a request to the functions. `path` is without the prefix. */
export async function askCloud(
  { url }: Pick<Cloud, 'url'>,
  path: string,
  { method = 'GET', body, headers = {}, as }: Sent = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const json: Json = isJson ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}

/** The password of the accounts of these tests. */
export const password = 'correct horse battery'

/** Logs in. The response has the access token of a new session. */
export const logInto = (cloud: Pick<Cloud, 'url'>, username: string, words = password) =>
  askCloud(cloud, '/auth/login', { method: 'POST', body: { username, password: words } })

/** Asks to create the first admin, `anna`. */
export const requestSetUp = (cloud: Pick<Cloud, 'url' | 'setupSecret'>) =>
  askCloud(cloud, '/setup', {
    method: 'POST',
    body: { secret: cloud.setupSecret, username: 'anna', password },
  })

/** Creates the first admin, `anna`. Returns the access token of a session of hers. */
export async function setUpCloud(cloud: Cloud): Promise<string> {
  const { status, text } = await requestSetUp(cloud)
  if (status !== 201) {
    throw new Error(`set-up: ${status} ${text}\n${cloud.functions.get('setup')?.output()}`)
  }
  return (await logInto(cloud, 'anna')).json.access_token
}

import { RegistryAccountRefused } from '../../functions/core/ports/image-registry.ts'
import type { ArtifactTarget } from '../../functions/core/records/artifact.ts'
import type { Registry } from '../../functions/core/records/registry.ts'
import { registryOrigin } from '../../functions/core/registries/origin.ts'
import type { Dialer } from '../net/outbound.ts'
import { type OutboundAnswer, outboundRequest } from '../net/request.ts'
import { allowedUrl } from './allowed-url.ts'
import { parseChallenge } from './challenge.ts'
import { limited, parseObject, refusal, refused, unreachable } from './problems.ts'

export type RegistryAccount = Pick<Registry, 'username' | 'password'>

/** A request to a registry. */
export interface RegistryRequest {
  method: string
  /** A path below that of the repository, or a URL that the registry named; see `followed`. */
  to: string | URL
  headers?: Record<string, string>
  body?: Uint8Array
  /** Bytes of the response that are read. The default is enough for a manifest. */
  largest?: number
}

/** Bytes of a response that are usually read. */
const usualLargest = 256 * 1024

/** Requests for one repository, authorized as the registry asks for. */
export class RegistrySession {
  readonly origin: URL
  readonly #target: ArtifactTarget
  readonly #account: RegistryAccount | undefined
  readonly #dialer: Dialer
  readonly #limits: { timeout: number; signal: AbortSignal }
  readonly #access: 'pull' | 'pull,push'
  #authorization: string | undefined

  constructor(
    target: ArtifactTarget,
    account: RegistryAccount | undefined,
    dialer: Dialer,
    limits: { timeout: number; signal: AbortSignal },
    access: 'pull' | 'pull,push',
  ) {
    this.origin = registryOrigin(target.registry)
    this.#target = target
    this.#account = account
    this.#dialer = dialer
    this.#limits = limits
    this.#access = access
  }

  /**
   * Sends a request. A 401 is answered once with what the registry asks for. The credentials and
   * the token go to the origin of the registry only.
   *
   * @throws 422 if the registry asks for what it must not or refuses the credentials, 500 if it
   * cannot be reached
   */
  async send(request: RegistryRequest): Promise<OutboundAnswer> {
    const url = this.#urlOf(request.to)
    const answer = await this.#exchange(url, request)
    if (answer.status !== 401 || url.origin !== this.origin.origin) return answer
    if (!(await this.#authorize(answer))) return answer
    const authorized = await this.#exchange(url, request)
    const isBasic = this.#authorization?.startsWith('Basic ')
    if (authorized.status === 401 && isBasic) throw new RegistryAccountRefused()
    return authorized
  }

  #urlOf(to: string | URL): URL {
    return typeof to === 'string'
      ? new URL(`/v2/${this.#target.repository}/${to}`, this.origin)
      : to
  }

  async #exchange(
    url: URL,
    { method, headers, body, largest = usualLargest }: RegistryRequest,
  ): Promise<OutboundAnswer> {
    const isOwn = url.origin === this.origin.origin
    const sent = { ...headers }
    if (isOwn && this.#authorization !== undefined) sent.Authorization = this.#authorization
    const request = { url, method, headers: sent, ...(body && { body }) }
    try {
      return await outboundRequest(this.#dialer, { ...request, ...this.#limits, largest })
    } catch (error) {
      throw unreachable(url.host, error)
    }
  }

  /** Returns whether there is an authorization that was not tried yet. */
  async #authorize({ headers }: OutboundAnswer): Promise<boolean> {
    const challenge = parseChallenge(headers['www-authenticate'])
    const before = this.#authorization
    if (challenge?.scheme === 'basic' && this.#account) {
      this.#authorization = basic(this.#account)
    } else if (challenge?.scheme === 'bearer') {
      this.#authorization = `Bearer ${await this.#token(challenge.realm, challenge.service)}`
    }
    return this.#authorization !== before
  }

  async #token(realm: string, service: string | undefined): Promise<string> {
    const url = allowedUrl(realm, this.origin)
    if (!url) throw refused('it names a token service that must not be asked')
    if (service !== undefined) url.searchParams.set('service', service)
    url.searchParams.set('scope', `repository:${this.#target.repository}:${this.#access}`)
    const headers: Record<string, string> = this.#account
      ? { Authorization: basic(this.#account) }
      : {}
    const limits = { ...this.#limits, largest: usualLargest }
    const answer = await outboundRequest(this.#dialer, {
      url,
      method: 'GET',
      headers,
      ...limits,
    }).catch((error) => {
      throw unreachable(url.host, error)
    })
    if (answer.status === 429) throw limited(answer)
    if (answer.status === 401 && this.#account) throw new RegistryAccountRefused()
    if (answer.status !== 200) throw refusal('asking for a token', answer)
    const given = parseObject(answer.body)
    const token = given?.token ?? given?.access_token
    if (typeof token === 'string' && /^[\x21-\x7e]{1,12288}$/.test(token)) return token
    throw refused('its token service sends no token')
  }
}

const basic = ({ username, password }: RegistryAccount): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'

/**
 * Returns the address of the Engine that the `docker` command would use with this environment, as
 * options of a request. `secure` says whether it speaks TLS.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 * @returns {import('node:https').RequestOptions & { secure?: boolean }}
 */
export function engineAddress(environment = process.env) {
  const address = environment.DOCKER_HOST || 'unix:///var/run/docker.sock'
  if (address.startsWith('unix://')) return { socketPath: address.slice('unix://'.length) }
  const { hostname, port } = new URL(address)
  const secure = Boolean(environment.DOCKER_TLS_VERIFY) || address.startsWith('https:')
  const certificates = secure ? environment.DOCKER_CERT_PATH : undefined
  const read = (/** @type {string} */ name) => readFileSync(join(certificates ?? '', name))
  return {
    host: hostname,
    port: port || (secure ? 2376 : 2375),
    secure,
    ...(certificates && { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }),
  }
}

/**
 * Calls the Engine API. Returns the status and text. `body` is sent as a tar archive, `json` as
 * JSON. Rejects after `timeout` milliseconds.
 *
 * @param {string} method
 * @param {string} path
 * @param {object} [options]
 * @param {Buffer} [options.body]
 * @param {unknown} [options.json]
 * @param {number} [options.timeout]
 * @param {NodeJS.ProcessEnv} [options.environment]
 * @returns {Promise<{ status: number, text: string }>}
 */
export function engineCall(method, path, { body, json, timeout = 5000, environment } = {}) {
  const { secure, ...address } = engineAddress(environment)
  const signal = AbortSignal.timeout(timeout)
  // The Engine closes a connection that was kept while a long run of tests blocked this process.
  /** @type {import('node:https').RequestOptions} */
  const options = { ...address, method, path, signal, agent: false }
  const sent = json === undefined ? body : Buffer.from(JSON.stringify(json))
  const type = json === undefined ? 'application/x-tar' : 'application/json'
  if (sent) options.headers = { 'Content-Type': type, 'Content-Length': sent.length }
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(options, async (response) => {
      try {
        const chunks = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
      } catch (error) {
        reject(error)
      }
    })
    request.on('error', reject)
    request.end(sent)
  })
}

/**
 * Returns whether an Engine responds.
 *
 * @param {NodeJS.ProcessEnv} [environment]
 */
export async function engineResponds(environment) {
  try {
    return (await engineCall('GET', '/_ping', { timeout: 2000, environment })).status === 200
  } catch {
    return false
  }
}

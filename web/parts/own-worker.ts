interface Policy {
  createScriptURL(url: string): string
}

/** Trusted Types, which the types of the DOM do not have yet. */
interface Factory {
  createPolicy(name: string, rules: Policy): Policy
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes

/** The only policy that the page may have: it accepts the addresses of our own files. */
const rules: Policy = {
  createScriptURL(url) {
    if (!/^\/assets\/[\w.-]+\.js$/.test(url)) throw new TypeError(`${url} is no worker of ours`)
    return url
  },
}
const policy = factory?.createPolicy('own-worker', rules) ?? rules

/**
 * Starts a web worker.
 *
 * @param name its key in `workers` of packaging/build/web/bundle.mjs
 * @throws if there is no such worker
 */
export function startWorker(name: string): Worker {
  const address = WORKERS[name]
  if (address === undefined) throw new Error(`there is no worker ${name}`)
  return new Worker(policy.createScriptURL(address), { type: 'module', name })
}

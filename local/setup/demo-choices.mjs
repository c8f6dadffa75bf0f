/**
 * What the demo uses of a machine. A second demo beside the usual one is on another port, and takes
 * other names and ports than the first.
 *
 * @typedef {object} DemoChoices
 * @property {string} port of the service
 * @property {string | undefined} agentPort undefined for the usual one, 0 for any that is free
 * @property {string} name of the example stack
 * @property {string} pagePort of the page of the example
 * @property {string} context of the client, if another service has its usual login
 */

const usualPort = '8080'

/**
 * Returns what a demo with these environment variables uses.
 *
 * @type {(env: Readonly<Record<string, string | undefined>>) => DemoChoices}
 */
export function demoChoices(env) {
  const port = env.SERVICE_PORT ?? usualPort
  const isUsual = port === usualPort
  return {
    port,
    agentPort: env.SERVICE_AGENT_PORT ?? (isUsual ? undefined : '0'),
    name: env.DEMO_NAME ?? (isUsual ? 'hello' : `hello-${port}`),
    pagePort: env.DEMO_PAGE_PORT ?? String(Number(port) + 1),
    context: `demo-${port}`,
  }
}

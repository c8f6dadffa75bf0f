import { type Registry, startRegistry } from '../../harness/registry.ts'
import { docker } from './docker.ts'
import type { Scenario } from './scenario.ts'

/** The image on every machine that stands in for others. */
const plain = 'busybox:latest'
const withPrintenv = `FROM ${plain}
RUN printf '%s\\n' '#!/bin/sh' '[ $# -gt 0 ] || exec env' 'v=$(env | grep "^$1=") && echo "\${v#*=}"' > /bin/printenv
RUN chmod 755 /bin/printenv`
const small = '(?:alpine|bash)(?::[\\w.]+)?'

/**
 * Stand-ins for images that cannot be pulled here:
 *
 * - `alpine` and `bash`, with any tag: busybox. A script replaces `printenv`, the only program of
 *   the scenarios that it lacks.
 * - `nginx`: busybox with its web server, whose page says "Welcome to nginx!", a `curl` that
 *   fetches a page with wget, and an `nginx` that does nothing.
 */
export function withStandIns(text: string, server: string): string {
  const replaced = text
    .replace(new RegExp(`((?:image: *|FROM )["']?)${small}(?=["'\\s]|$)`, 'g'), `$1${plain}`)
    .replace(/(image: *)nginx(?=\s|$)/g, `$1${server}`)
  return text.includes('printenv') ? replaced.replace(`FROM ${plain}`, withPrintenv) : replaced
}

/** Returns a word of a `docker` command with the stand-in instead of its image. */
export const wordWithStandIn = (word: string): string =>
  new RegExp(`^${small}$`).test(word) ? plain : word

/** Returns the name of the image that stands in for `nginx`. */
export const webServer = (project: string, registry: Registry | undefined): string =>
  `${registry ? `${registry.address}/` : ''}${project}-nginx:latest`

const webServerFile = `FROM ${plain}
RUN mkdir /www && echo 'Welcome to nginx!' > /www/index.html
RUN printf '#!/bin/sh\\nexec wget -qO- "$1"\\n' > /bin/curl && chmod 755 /bin/curl
RUN printf '#!/bin/sh\\n' > /bin/nginx && chmod 755 /bin/nginx
CMD ["httpd", "-f", "-p", "80", "-h", "/www"]
`

/** Returns a registry if a scenario pulls an image that it cannot do without. */
export const registryFor = async ({ steps }: Scenario): Promise<Registry | undefined> =>
  steps.some(({ do: text }) => text.includes('"--pull"')) ? startRegistry() : undefined

/**
 * Builds the image that stands in for `nginx`, if the scenario needs it. With a registry it is only
 * there.
 */
export async function buildStandIn(
  { images }: Scenario,
  server: string,
  registry: Registry | undefined,
): Promise<void> {
  if (!images.includes('nginx')) return
  await must(['build', '-q', '-t', server, '-'], webServerFile)
  if (!registry) return
  await must(['push', '-q', server])
  await must(['image', 'rm', server])
}

async function must(command: string[], input?: string): Promise<void> {
  const { code, stderr } = await docker(command, input)
  if (code !== 0) throw new Error(`the stand-in for nginx cannot be made: ${stderr}`)
}

/** Removes the images whose name begins with that of the project, those of a registry too. */
export async function removeImages(project: string): Promise<void> {
  const { stdout } = await docker(['images', '--format', '{{.Repository}}:{{.Tag}}'])
  const own = stdout
    .split('\n')
    .filter((name) => name.replace(/^(?:docker|127\.0\.0\.1:\d+)\//, '').startsWith(project))
  if (own.length > 0) await docker(['image', 'rm', '-f', ...own])
}

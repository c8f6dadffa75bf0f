import { hasRoute } from './call-route.ts'
import type { Expression } from './expression.ts'
import { parseWords } from './words.ts'

/** What of a docker compose command can be run here. */
interface Offer {
  /** Its flags, with or without values. */
  flags?: readonly string[]
  /** The endpoints that it needs. */
  routes?: readonly string[]
}

const ofService = (verb: string) => `POST /stacks/{name}/services/{service}/${verb}`

/** The docker compose commands that the service's endpoints can do, with their flags. */
const offers: Record<string, Offer> = {
  up: {
    flags: [
      ...['-d', '--wait', '--wait-timeout', '--menu=false', '--scale', '--force-recreate'],
      ...['--remove-orphans', '--build', '--no-recreate', '--attach-dependencies'],
      ...['--abort-on-container-exit', '--abort-on-container-failure'],
    ],
  },
  down: { flags: ['--remove-orphans'], routes: ['POST /stacks/{name}/down'] },
  stop: { routes: [ofService('stop')] },
  start: { routes: [ofService('start')] },
  create: {},
  restart: {},
  pause: { routes: [ofService('pause')] },
  unpause: { routes: [ofService('unpause')] },
  scale: { routes: [ofService('scale')] },
  rm: { flags: ['--stop', '--force'], routes: [ofService('scale')] },
  build: { flags: ['--no-cache'], routes: [ofService('build')] },
  pull: { flags: ['--ignore-pull-failures'], routes: [ofService('pull')] },
  run: {
    flags: ['--rm', '-d', '-T', '-e', '--build', '--pull', '--publish', '--service-ports'],
    routes: [ofService('run')],
  },
  exec: { flags: ['-T', '-e', '--index'] },
  wait: {},
  commit: { flags: ['--index', '-a', '-c', '-m'] },
  logs: {},
  ls: { flags: ['--all', '--format'] },
  images: {},
  publish: {
    flags: ['--with-env', '--dry-run', '-y'],
    routes: ['POST /stacks/{name}/publish'],
  },
  config: { flags: ['--no-interpolate'], routes: ['GET /stacks/{name}/config'] },
  export: { flags: ['-o', '--index'], routes: ['GET /containers/{id}/archive'] },
}

/** Flags before the command that are known here, or change only how docker compose prints. */
const knownGlobals = /^--(?:progress=\w+|verbose|all-resources)$/

/** Returns why a command cannot be run here, or undefined if it can. */
export function missingOffer(args: readonly Expression[]): string | undefined {
  const words = parseWords(args.map((one) => (one.kind === 'text' ? one.text : '…')))
  const global = words.globals.find((flag) => !knownGlobals.test(flag))
  if (global) return `the service has no \`${global}\``
  const offer = offers[words.verb]
  const lacks = offer?.routes?.some((route) => !hasRoute(route))
  if (!offer || lacks) return `the service has no \`${words.verb}\``
  const flag = [...words.flags, ...words.values.keys()].find((one) => !offer.flags?.includes(one))
  return flag && `the service has no \`${words.verb} ${flag}\``
}

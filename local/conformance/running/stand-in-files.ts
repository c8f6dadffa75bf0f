import { readFileSync } from 'node:fs'
import { pack } from 'tar-stream'
import type { Json } from './engine.ts'

/** The only real program in a stand-in image. */
export const busybox = '/bin/busybox'

/** What a stand-in image must contain for the services that run it. */
interface Script {
  /** Programs that must exist, as the services call them. */
  programs: Set<string>
  /**
   * Arguments with which a program exits with 0 at once. With all others it runs until it is
   * stopped.
   */
  ends: Set<string>
  users: Set<string>
  groups: Set<string>
}

/**
 * Returns the file system of an image that replaces an unavailable one. Any program that the
 * services start runs until it is stopped. Their jobs, health checks and hooks succeed.
 */
export async function standInArchive(
  services: readonly Json[],
  jobs: ReadonlySet<Json>,
): Promise<Buffer> {
  const script: Script = {
    programs: new Set(['/stand-in', '/bin/sh']),
    ends: new Set(),
    users: new Set(),
    groups: new Set(),
  }
  for (const service of services) read(service, jobs.has(service), script)
  const text = scriptText(script.ends)
  const archive = pack()
  archive.entry({ name: busybox.slice(1), mode: 0o755 }, readFileSync(busybox))
  for (const name of new Set([...script.programs].map(placeOf))) {
    if (name !== busybox.slice(1)) archive.entry({ name, mode: 0o755 }, text)
  }
  archive.entry({ name: 'tmp', type: 'directory', mode: 0o1777 })
  archive.entry({ name: 'etc/passwd' }, passwd(script.users))
  archive.entry({ name: 'etc/group' }, group([...script.users, ...script.groups]))
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

function read(service: Json, isJob: boolean, script: Script): void {
  const { entrypoint, command, healthcheck, user = '', group_add = [] } = service
  const line: string[] = [...(entrypoint ?? ['/stand-in']), ...(command ?? [])]
  needs(line, isJob, script)
  const [kind, ...test]: string[] = healthcheck?.test ?? []
  if (kind === 'CMD') needs(test, true, script)
  if (kind === 'CMD-SHELL') needs(['/bin/sh', '-c', ...test], true, script)
  for (const hook of [...(service.post_start ?? []), ...(service.pre_stop ?? [])]) {
    needs(hook.command ?? [], true, script)
  }
  const [name = '', own] = user.split(':')
  if (/^[a-z_]/i.test(name)) script.users.add(name)
  for (const one of [own ?? '', ...group_add]) if (/^[a-z_]/i.test(one)) script.groups.add(one)
}

function needs([program, ...args]: string[], ends: boolean, script: Script): void {
  if (program === undefined) return
  script.programs.add(program)
  if (ends) script.ends.add(args.join(' '))
}

const placeOf = (program: string) =>
  program.startsWith('/') ? program.slice(1) : `bin/${program.replace(/^.*\//, '')}`

function scriptText(ends: ReadonlySet<string>): string {
  const quoted = [...ends].map((text) => `'${text.replaceAll("'", "'\\''")}'`)
  return [
    '#!/bin/busybox sh',
    ...quoted.map((text) => `[ "$*" = ${text} ] && exit 0`),
    "trap 'exit 0' TERM INT QUIT",
    'while :; do /bin/busybox sleep 3600 & wait; done',
    '',
  ].join('\n')
}

const passwd = (users: Iterable<string>) =>
  ['root', 'nobody', ...users]
    .map((name, index) => `${name}:x:${index && index + 700}:${index && index + 700}::/:/bin/sh\n`)
    .join('')

const group = (groups: readonly string[]) =>
  ['root', 'nogroup', ...new Set(groups)]
    .map((name, index) => `${name}:x:${index && index + 700}:\n`)
    .join('')

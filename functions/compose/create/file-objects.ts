import { unprocessable } from '../errors.ts'
import { sha256 } from '../hash/hash.ts'
import { ownEntry, serviceOf } from '../lookup.ts'
import type { FileObject, Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { FileReference } from '../service-parts.ts'
import type { EngineBody, UploadedFile } from '../step.ts'
import { seccompFile } from './security.ts'

/**
 * Returns read-only binds for secrets and configs that are files on the host. The files keep their
 * owner and mode.
 */
export function fileMounts(project: Project, service: Service): EngineBody[] {
  return uses(project, service)
    .filter(({ object }) => object.file !== undefined)
    .map(({ object, target }) => ({
      Type: 'bind',
      Source: object.file,
      Target: target,
      ReadOnly: true,
    }))
}

/**
 * Returns the secrets and configs with inline content. They are uploaded into the container before
 * its first start.
 */
export function uploadedFiles(project: Project, service: Service): UploadedFile[] {
  return uses(project, service)
    .filter(({ object }) => object.file === undefined)
    .flatMap(({ object: { content }, target, reference }) => {
      if (content === undefined) return []
      const mode = reference.mode === undefined ? 0o444 : Number.parseInt(reference.mode, 8)
      const [uid, gid] = [Number(reference.uid ?? 0), Number(reference.gid ?? 0)]
      return { path: target, content, mode, uid, gid }
    })
}

/**
 * Returns a digest of the inline configs and seccomp profiles of a service, to detect changes;
 * undefined if there are none. Secrets are excluded: more people can read a label than a secret,
 * and a short secret could be guessed from its digest.
 */
export function configContents(project: Project, service: Service): string | undefined {
  const contents = uses(project, service)
    .filter(({ kind, object }) => kind === 'configs' && object.content !== undefined)
    .map(({ object, target }) => [target, object.content])
  for (const option of service.security_opt ?? []) {
    const profile = ownEntry(project.seccomp_profiles, seccompFile(option) ?? '')
    if (profile !== undefined) contents.push([option, profile])
  }
  return contents.length > 0 ? sha256(JSON.stringify(contents)) : undefined
}

/**
 * Checks the secrets and configs of a service.
 *
 * @throws 422 if an Engine without Swarm cannot provide one
 */
export function refuseFileObjects(project: Project, name: string): void {
  const service = serviceOf(project, name)
  for (const { object, reference, kind } of uses(project, service)) {
    const path = `services.${name}.${kind}.${reference.source}`
    if (object.external || object.driver || object.template_driver) {
      throw unprocessable(`${path}: external ${kind} and drivers need Swarm and are not supported`)
    }
    if (object.file !== undefined) continue
    if (object.content === undefined) {
      throw unprocessable(`${path}: environment variable ${object.environment} is not set`)
    }
    if (service.read_only) {
      throw unprocessable(`${path}: content cannot be put into a read_only container, use a file`)
    }
    if (![reference.uid ?? '0', reference.gid ?? '0'].every((id) => /^\d+$/.test(id))) {
      throw unprocessable(`${path}: uid and gid must be numbers`)
    }
  }
}

interface Use {
  kind: 'secrets' | 'configs'
  object: FileObject
  reference: FileReference
  target: string
}

function uses(project: Project, service: Service): Use[] {
  const found: Use[] = []
  for (const kind of ['configs', 'secrets'] as const) {
    for (const reference of service[kind] ?? []) {
      const object = ownEntry(project[kind], reference.source)
      if (!object) {
        throw unprocessable(`${kind}.${reference.source}: not defined`)
      }
      found.push({ kind, object, reference, target: targetOf(kind, reference) })
    }
  }
  return found
}

function targetOf(kind: Use['kind'], { source, target }: FileReference): string {
  if (target?.startsWith('/')) return target
  return kind === 'secrets' ? `/run/secrets/${target ?? source}` : `/${target ?? source}`
}

import { ownEntry } from '../lookup.ts'
import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { EngineBody } from '../step.ts'

/**
 * Returns the privileges of a container. Security options are passed unchanged, with two
 * exceptions: `systempaths=unconfined` is not an Engine option and becomes empty path lists, and
 * the name of a seccomp file is replaced by its profile.
 */
export function securityBody(project: Project, service: Service): EngineBody {
  const options = service.security_opt ?? []
  const unconfined = options.some((option) => /^systempaths[=:]unconfined$/.test(option))
  const rest = options.filter((option) => !/^systempaths[=:]/.test(option))
  return {
    CapAdd: service.cap_add,
    CapDrop: service.cap_drop,
    Privileged: service.privileged,
    ReadonlyRootfs: service.read_only,
    SecurityOpt: rest.length > 0 ? rest.map((option) => withProfile(project, option)) : undefined,
    ...(unconfined ? { MaskedPaths: [], ReadonlyPaths: [] } : {}),
  }
}

/** Returns the seccomp file that a security option names; undefined for other options. */
export function seccompFile(option: string): string | undefined {
  const [, value] = /^seccomp[=:](.+)$/s.exec(option) ?? []
  const named = value !== undefined && value !== 'unconfined' && value !== 'builtin'
  return named && !value.startsWith('{') ? value : undefined
}

function withProfile(project: Project, option: string): string {
  const file = seccompFile(option)
  const profile = file === undefined ? undefined : ownEntry(project.seccomp_profiles, file)
  return profile === undefined ? option : `seccomp=${profile}`
}

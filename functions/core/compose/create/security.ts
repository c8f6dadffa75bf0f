import type { Project } from '../project.ts'
import type { Service } from '../service.ts'
import type { EngineBody } from '../step.ts'

/**
 * What a container may do. Security options go as they are written; `systempaths=unconfined` is none of the Engine's, and
 * the profile of a file takes the place of its name.
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

/** The file of a seccomp profile that a security option names, as it is written; nothing for any other option. */
export function seccompFile(option: string): string | undefined {
  const [, value] = /^seccomp[=:](.+)$/s.exec(option) ?? []
  const named = value !== undefined && value !== 'unconfined' && value !== 'builtin'
  return named && !value.startsWith('{') ? value : undefined
}

function withProfile(project: Project, option: string): string {
  const file = seccompFile(option)
  const profile = file === undefined ? undefined : project.seccomp_profiles?.[file]
  return profile === undefined ? option : `seccomp=${profile}`
}

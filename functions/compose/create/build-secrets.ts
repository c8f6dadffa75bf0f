import { unprocessable } from '../errors.ts'
import { ownEntry, serviceOf } from '../lookup.ts'
import type { FileObject, Project } from '../project.ts'
import type { BuildSecret } from '../step.ts'

/**
 * Returns the secrets that the build of a service may read, by the id that its Dockerfile uses: the
 * target, or the name of the secret. If two have the same id, the last one counts. BuildKit takes
 * owner and mode from the Dockerfile.
 *
 * @throws 422 if a secret is neither a file nor a variable that is set
 */
export function buildSecrets(project: Project, service: string): BuildSecret[] {
  const references = serviceOf(project, service).build?.secrets ?? []
  const found = references.map(({ source, target }): BuildSecret => {
    const secret = ownEntry(project.secrets, source)
    const id = target || source
    const problem = problemOf(secret)
    if (problem) throw unprocessable(`services.${service}.build.secrets.${source}: ${problem}`)
    const { file, content = '' } = secret ?? {}
    return file === undefined ? { id, content } : { id, file }
  })
  return [...new Map(found.map((secret) => [secret.id, secret])).values()]
}

function problemOf(secret: FileObject | undefined): string | undefined {
  if (!secret) return 'not defined'
  const { external, driver, template_driver, file, content, environment } = secret
  if (external || driver || template_driver) {
    return 'external secrets and drivers need Swarm and are not supported'
  }
  if (file !== undefined || content !== undefined) return undefined
  return `environment variable ${environment} is not set`
}

import type { Project } from '../project.ts'

/**
 * Returns a project as `docker compose config --format json` shows it, but with single dollars.
 * Leaves out empty collections, models and the content that secrets and configs take from
 * variables.
 */
export function shownProject(project: Project): Record<string, unknown> {
  const { name, services, networks, volumes, secrets, configs, extensions } = project
  const files = (objects: Project['secrets']) =>
    Object.fromEntries(
      Object.entries(objects).map(([key, { content, ...file }]) => [
        key,
        file.environment === undefined && content ? { ...file, content } : file,
      ]),
    )
  const resources = { networks, volumes, secrets: files(secrets), configs: files(configs) }
  const present = Object.entries(resources).filter(([, value]) => Object.keys(value).length > 0)
  return { name, services, ...Object.fromEntries(present), ...extensions }
}

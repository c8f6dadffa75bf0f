import { conflict } from '../../errors.ts'
import { ownEntry, serviceOf } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import { imageName, sameImageName } from '../../reference/image-name.ts'
import type { Resolved } from '../../snapshot.ts'
import { allImages, imageOf } from '../../used-resources.ts'

/**
 * Reference of an image that is not built → the image that gets this name: a repository digest or
 * an ID.
 */
export type Retags = Readonly<Record<string, string>>

/**
 * Returns the image that gets the name, or undefined. Each spelling of a reference means the same
 * name; a digest or an ID is none.
 */
export function retagSource(retags: Retags | undefined, image: string): string | undefined {
  if (!retags || imageName(image).kind !== 'tag') return undefined
  return Object.entries(retags).find(([reference]) => sameImageName(reference, image))?.[1]
}

/** Returns the images that the services of a project get by other names. */
export const retagSources = (project: Project, retags: Retags | undefined): string[] => [
  ...new Set(retagsOf(project, retags).map(({ source }) => source)),
]

/**
 * Checks that images named by an ID are on the host.
 *
 * @throws 409 if one is not: nothing can be pulled by an ID
 */
export function checkRetags(
  project: Project,
  retags: Retags | undefined,
  { images }: Pick<Resolved, 'images'>,
): void {
  for (const { service, image, source } of retagsOf(project, retags)) {
    if (imageName(source).kind !== 'id' || ownEntry(images, source)) continue
    throw conflict(
      `services.${service}: image ${source}, which ${image} is to name, is no longer on the host ` +
        'and has no digest to pull it by',
    )
  }
}

function retagsOf(project: Project, retags: Retags | undefined) {
  const names = Object.keys(project.services)
  const built = new Set(
    names.flatMap((name) => (serviceOf(project, name).build ? imageOf(project, name) : [])),
  )
  return names.flatMap((service) =>
    allImages(project, service).flatMap((image) => {
      const source = built.has(image) ? undefined : retagSource(retags, image)
      return source === undefined ? [] : [{ service, image, source }]
    }),
  )
}

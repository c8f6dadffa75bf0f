import { engineGet, engineWrite, type Json } from './engine.ts'

/**
 * Returns a function that removes the images that a project's services build, so that the other
 * tool builds them too. Images that exist already are kept.
 */
export async function removerOfBuilt(model: Json): Promise<() => Promise<void>> {
  const names = Object.entries<Json>(model.services ?? {}).flatMap(([key, { build, image }]) =>
    build ? [image ?? `${model.name}-${key}`, ...(build.tags ?? [])] : [],
  )
  const present = await Promise.all(names.map((name) => engineGet(`/images/${name}/json`)))
  const made = names.filter((_, index) => !present[index])
  return async () => {
    for (const name of made) await engineWrite('DELETE', `/images/${name}?force=true`)
  }
}

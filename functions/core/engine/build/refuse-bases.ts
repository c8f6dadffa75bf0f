import { conflict } from '../../errors.ts'
import { imageName } from '../../registries/image-name.ts'

/**
 * Refuses a Dockerfile that names one of these images.
 *
 * @param refused normal names of images that the build must not use
 * @param images the references in its Dockerfile
 * @throws 409 that names the first of them
 */
export function refuseBases(refused: readonly string[], images: readonly string[]): void {
  const found = images.find((image) => refused.includes(imageName(image).name))
  if (found === undefined) return
  throw conflict(
    `the Dockerfile uses ${found}, which another stack built on this host; ` +
      'pull it first, or deploy with `on_drift: import` to use what is there',
  )
}

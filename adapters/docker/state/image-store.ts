import type { EngineClient } from '../transport/client.ts'

/**
 * Returns whether an Engine keeps its images in containerd, as new installations since Docker 29
 * do. Then a name can stand for an image per platform.
 */
export async function keepsImagesInContainerd(
  client: EngineClient,
  signal: AbortSignal,
): Promise<boolean> {
  const { DriverStatus } = await client.json<{ DriverStatus?: string[][] | null }>({
    method: 'GET',
    path: '/info',
    signal,
  })
  return (DriverStatus ?? []).flat().includes('io.containerd.snapshotter.v1')
}

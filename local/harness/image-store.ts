import { docker } from './docker.ts'

/** Returns whether the Engine keeps its images in containerd. */
export const keepsImagesInContainerd = (): boolean =>
  docker('info', '--format', '{{json .DriverStatus}}').includes('io.containerd.snapshotter.v1')

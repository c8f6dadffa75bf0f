/** Marks what this adapter makes for its own use, so that lists leave it out. Its value says what for. */
export const ownLabel = 'container-stacks.internal'

/** Beside it, on what is made for a backup or a restore: whose it is. */
export const ownerLabel = 'container-stacks.owner'

/** The image that helpers are made of: nothing but the program that deletes files. */
export const helperImage = 'container-stacks/files:1'

/** Labels of docker compose that the adapter reads or fills in. */
export const composeLabels = {
  project: 'com.docker.compose.project',
  service: 'com.docker.compose.service',
  number: 'com.docker.compose.container-number',
  oneoff: 'com.docker.compose.oneoff',
  image: 'com.docker.compose.image',
  network: 'com.docker.compose.network',
  configHash: 'com.docker.compose.config-hash',
} as const

/** The compose project that labels name, or null. */
export const stackOf = (labels: Record<string, string> | null) =>
  labels?.[composeLabels.project] ?? null

/** An instant as the Engine writes it, or null for the zero instant that it writes for none. */
export function instant(text: string | undefined): string | null {
  return !text || text.startsWith('0001-') ? null : text
}

import type { EngineClient } from '../transport/client.ts'

/** The operating system and the processor of an Engine, as Docker names them: `linux`, `amd64`. */
export interface EnginePlatform {
  Os: string
  Arch: string
}

/** Asks an Engine for its platform. */
export const enginePlatform = (
  client: EngineClient,
  signal?: AbortSignal,
): Promise<EnginePlatform> =>
  client.json<EnginePlatform>({ method: 'GET', path: '/version', ...(signal && { signal }) })

/** Returns the platform in the form of `--platform`, such as `linux/amd64`. */
export const platformName = ({ Os, Arch }: EnginePlatform): string => `${Os}/${Arch}`

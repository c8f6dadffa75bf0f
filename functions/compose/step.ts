/**
 * One Engine call of a plan, with its reason. Steps refer to containers by name because the plan
 * cannot know the IDs of containers that it creates; the Engine accepts a name wherever it accepts
 * an ID. `after` has the indexes of the steps that must finish first.
 */
export type Step = StepBase & StepCall

interface StepBase {
  /** The position in the plan. */
  index: number
  after: number[]
  /** Why the step is needed: `image changed`, `no container`, `depends_on db (service_healthy)`. */
  reason: string
  /** The service that the step belongs to, if any. */
  service: string | null
}

/** `action` and `kind` are shown to users. `name` is the name of the object on the Engine. */
export type StepCall =
  /**
   * Users can read a plan, so it holds no file contents. The executor passes them to `writeFiles`.
   */
  | { action: 'write'; kind: 'files'; name: string; files: { path: string; mode: number }[] }
  /**
   * With `stamp`, the executor tags the image after the pull. The Engine records the time of a tag
   * but not the time of a pull. `registries`: see `ImageBuild`.
   */
  | {
      action: 'pull'
      kind: 'image'
      name: string
      platform?: string
      stamp?: true
      registries?: readonly string[]
    }
  /**
   * Gives the name to the image `source`: a repository digest, which the executor pulls first if
   * the host lacks it, or an ID. `imageChange` has what the name stood for and `source`.
   */
  | {
      action: 'tag'
      kind: 'image'
      name: string
      source: string
      platform?: string
      imageChange?: { before: string; after: string }
    }
  /** The image is built without a name. The executor tags it if that is allowed. */
  | { action: 'build'; kind: 'image'; name: string; build: ImageBuild }
  /** Removes a name, or the image with its last name. */
  | { action: 'remove'; kind: 'image'; name: string; required?: boolean }
  | { action: 'create'; kind: 'network'; name: string; body: EngineBody }
  /**
   * `required` defaults to true. An Engine may keep a network forever, or other containers may use
   * it.
   */
  | { action: 'remove'; kind: 'network'; name: string; id: string; required?: boolean }
  | { action: 'create'; kind: 'volume'; name: string; body: EngineBody }
  | { action: 'remove'; kind: 'volume'; name: string; required?: boolean }
  | {
      action: 'create' | 'recreate'
      kind: 'container'
      /** The name at creation: a temporary one if the container replaces another. */
      name: string
      /** The image reference. */
      image: string
      /** How the name of the image differs from that of the container that it replaces. */
      imageChange?: { before: string; after: string }
      /**
       * The ID of the image that was decided on. The port adds it to the labels of the body as
       * `com.docker.compose.image`, and removes a container that was created from another image. If
       * the plan pulls or builds the image, the executor fills in the resulting ID.
       */
      imageId?: string
      platform?: string
      body: EngineBody
      /**
       * Service → name of its container, which an earlier step creates. The executor replaces
       * `service:x` in the body with the ID of that container (see `resolveParents`), so the Engine
       * port never sees `parents`.
       */
      parents?: Record<string, string>
      /** The input of the config hash, if the hash depends on the IDs of `parents`. */
      hashed?: string
    }
  | { action: 'connect'; kind: 'network'; name: string; container: string; body: EngineBody }
  | { action: 'disconnect'; kind: 'network'; name: string; container: string }
  | { action: 'upload'; kind: 'container'; name: string; files: UploadedFile[] }
  | { action: 'start' | 'pause' | 'unpause'; kind: 'container'; name: string }
  | { action: 'wait'; kind: 'container'; name: string; condition: WaitCondition; required: boolean }
  /** `required` defaults to true. If an optional step fails, the steps after it still run. */
  | { action: 'exec'; kind: 'container'; name: string; body: EngineBody; required?: boolean }
  | { action: 'stop'; kind: 'container'; name: string; timeoutSeconds?: number; signal?: string }
  | { action: 'restart'; kind: 'container'; name: string; timeoutSeconds?: number }
  | { action: 'remove'; kind: 'container'; name: string; volumes: boolean; force: boolean }
  | { action: 'rename'; kind: 'container'; name: string; to: string }

export type WaitCondition = 'service_healthy' | 'service_completed_successfully' | 'service_started'

/** The JSON body of an Engine call, with the Engine's field names. */
export type EngineBody = Record<string, unknown>

/** A config or secret with inline content, uploaded into the container before it starts. */
export interface UploadedFile {
  path: string
  content: string
  mode: number
  uid: number
  gid: number
}

/**
 * A secret of a build: the content, or an absolute path on the host. `id` is its name in the
 * Dockerfile.
 */
export type BuildSecret = { id: string } & ({ content: string } | { file: string })

/** The parameters of a build with one of the Engine's builders. */
export interface ImageBuild {
  /** BuildKit shares results of commands only among the builds of one project. */
  project: string
  /**
   * An absolute directory on the host. If `remote` is set, a repository or archive that the Engine
   * fetches.
   */
  context: string
  remote: boolean
  /**
   * An absolute path on the host, possibly outside the context. Relative if the context is remote.
   */
  dockerfile: string
  /** The content of the Dockerfile, if it is given inline. */
  inline?: string
  /** Additional names of the image. The Engine builds it without names. */
  tags: readonly string[]
  /**
   * References whose registry credentials the build receives: the image and its `cache_from`
   * images.
   */
  references: readonly string[]
  /** What `RUN --mount=type=secret` may read. */
  secrets: readonly BuildSecret[]
  /** Images that the build must not start from or copy from. The default is none. */
  refused?: RefusedBases
  /**
   * Private registries that the Dockerfile may use besides public ones. If absent, the Dockerfile
   * may use anything.
   */
  registries?: readonly string[]
  /**
   * The query parameters of the build call, with the Engine's names, except those for the context.
   */
  options: EngineBody
}

/** The images that a build must not use. */
export interface RefusedBases {
  /** Normal names of images built by other stacks. */
  names: readonly string[]
  /** Also refuses an ID or the beginning of one, because it may be an image of any stack. */
  ids: boolean
}

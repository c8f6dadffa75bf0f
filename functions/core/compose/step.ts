import type { RefusedBases } from '../engine/build/refuse-bases.ts'

/**
 * One Engine call of a plan, with its cause. Containers are named, never numbered by id that a plan cannot know yet: the
 * Engine takes a name wherever it takes an id. `after` are the indexes of the steps that must be done before.
 */
export type Step = StepBase & StepCall

interface StepBase {
  /** Position in the plan. */
  index: number
  after: number[]
  /** Why: `image changed`, `no container`, `depends_on db (service_healthy)`. */
  reason: string
  /** The service it is for, when it is for one. */
  service: string | null
}

/** `action` and `kind` are the words that callers read; `name` is the thing's name on the Engine. */
export type StepCall =
  /** Its contents are known to who runs the plan and goes by `writeFiles`: a plan that people read holds none. */
  | { action: 'write'; kind: 'files'; name: string; files: { path: string; mode: number }[] }
  /** With `stamp` the Engine is told when it was pulled, which it does not write down by itself. */
  | { action: 'pull'; kind: 'image'; name: string; platform?: string; stamp?: true }
  /** The image is built without a name. Whoever executes the plan tags it, if that is allowed. */
  | { action: 'build'; kind: 'image'; name: string; build: ImageBuild }
  | { action: 'create'; kind: 'network'; name: string; body: EngineBody }
  /** Required unless it says otherwise: an Engine may keep a network for ever, or others may use it. */
  | { action: 'remove'; kind: 'network'; name: string; id: string; required?: boolean }
  | { action: 'create'; kind: 'volume'; name: string; body: EngineBody }
  | { action: 'remove'; kind: 'volume'; name: string }
  | {
      action: 'create' | 'recreate'
      kind: 'container'
      /** The name it is created under: a temporary one when it replaces another. */
      name: string
      /** Image reference. */
      image: string
      /**
       * The ID of the image that was decided on. The port adds it to the labels of the body as
       * `com.docker.compose.image`, and removes a container that was created from another image. If
       * the plan pulls or builds the image, the executor fills in the resulting ID.
       */
      imageId?: string
      platform?: string
      body: EngineBody
      /**
       * Service → name of its container, made by an earlier step of the plan. Where the body says `service:x`, the
       * executor puts the id of that container (see `resolveParents`): the Engine port never sees them.
       */
      parents?: Record<string, string>
      /** The text that the config hash is taken over, when the hash needs the ids of `parents`. */
      hashed?: string
    }
  | { action: 'connect'; kind: 'network'; name: string; container: string; body: EngineBody }
  | { action: 'disconnect'; kind: 'network'; name: string; container: string }
  | { action: 'upload'; kind: 'container'; name: string; files: UploadedFile[] }
  | { action: 'start'; kind: 'container'; name: string }
  | { action: 'wait'; kind: 'container'; name: string; condition: WaitCondition; required: boolean }
  /** Required unless it says otherwise: steps after one that is not go on when it fails. */
  | { action: 'exec'; kind: 'container'; name: string; body: EngineBody; required?: boolean }
  | { action: 'stop'; kind: 'container'; name: string; timeoutSeconds?: number; signal?: string }
  | { action: 'restart'; kind: 'container'; name: string; timeoutSeconds?: number }
  | { action: 'remove'; kind: 'container'; name: string; volumes: boolean; force: boolean }
  | { action: 'rename'; kind: 'container'; name: string; to: string }

export type WaitCondition = 'service_healthy' | 'service_completed_successfully' | 'service_started'

/** The JSON body of an Engine call, in the Engine's own field names. */
export type EngineBody = Record<string, unknown>

/** A config or secret with content, put into a created container before its start. */
export interface UploadedFile {
  path: string
  content: string
  mode: number
  uid: number
  gid: number
}

/** How an image is built by the Engine's own builder. */
export interface ImageBuild {
  /** A directory of the host, absolute; or, when `remote`, what the Engine fetches: a repository or an archive. */
  context: string
  remote: boolean
  /** Absolute on the host, and then also outside of the context; relative in a remote one. */
  dockerfile: string
  /** The Dockerfile itself, when it was given in place of a file. */
  inline?: string
  /** Additional names of the image. The Engine builds it without any. */
  tags: readonly string[]
  /** Images of registries that the service names, whose credentials the build gets. */
  references: readonly string[]
  /** Images that the build must not begin with or copy from; none unless given. */
  refused?: RefusedBases
  /** Registries that its Dockerfile may name besides public ones; any, and anything else, unless given. */
  registries?: readonly string[]
  /** The query of the Engine's call, in the Engine's own names, apart from those of the context. */
  options: EngineBody
}

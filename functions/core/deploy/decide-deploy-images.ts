import {
  type DecidedImages,
  decideImages,
  type ImageEvidence,
  recordedImages,
} from '../images/decide-images.ts'
import { checkImageAccess, type ImageFacts } from '../images/image-access.ts'
import type { DeployFacts } from './observe-deploy.ts'
import { refuseMissing } from './refuse-missing.ts'
import { imageUser, type PreparePorts } from './request.ts'

/** The images of a deploy. */
export interface DeployImages {
  facts: ImageFacts
  evidence: ImageEvidence
  decided: DecidedImages
  /** The images to record for the stack. */
  recorded: Record<string, string>
}

/**
 * Decides which images a deploy runs.
 *
 * @throws 403 or 409 for images that the stack may not use, 404 or 409 for what the files refer to
 *   and that does not exist
 */
export async function decideDeployImages(
  { request, loaded, whole, project, snapshot, onHost, owners }: DeployFacts,
  ports: PreparePorts,
): Promise<DeployImages> {
  const { stack, options } = request
  const pinned = new Set(Object.values(options.images ?? {}))
  const facts = { resolved: onHost, owners, pinned }
  const foreign = await checkImageAccess(whole, facts, imageUser(request), ports)
  const evidence: ImageEvidence = {
    project,
    foreign,
    recorded: stack.images ?? {},
    accepted: options.acceptImages ? 'all' : (request.fetching ?? []),
  }
  refuseMissing(loaded.references, project, onHost)
  const decided = decideImages(evidence, snapshot, onHost)
  return { facts, evidence, decided, recorded: recordedImages(loaded.project, evidence, decided) }
}

import { type Mutation, mutation } from './mutation.ts'

const room = 'functions/core/backups'
const tests = ['functions/backup-runs']
const rule = (name: string, file: string, text: string, without: string): Mutation =>
  mutation(`restore: ${name}`, `${room}/${file}`, text, without, tests)

/** Checks of what a restore trusts in a backup that an attacker may have written. */
export const checks: Mutation[] = [
  rule(
    'a manifest that differs from the recorded one',
    'contents/open-backup.ts',
    'if (sha256 !== run.sha256) {',
    'if (false) {',
  ),
  rule(
    'the manifest of another run',
    'contents/open-backup.ts',
    'if (manifest.run !== run.id) throw',
    'if (false) throw',
  ),
  rule(
    'names of stacks',
    'contents/read-manifest.ts',
    "z.object({ kind: z.literal('stack'), source: stackName })",
    "z.object({ kind: z.literal('stack'), source: z.string() })",
  ),
  rule(
    'names of volumes',
    'contents/read-manifest.ts',
    'source: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/)',
    'source: z.string()',
  ),
  rule(
    'names of objects',
    'contents/read-manifest.ts',
    'name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/)',
    'name: z.string()',
  ),
  rule('the number of objects', 'contents/read-manifest.ts', '.max(objectsMax)', ''),
  rule(
    'duplicate objects',
    'contents/read-manifest.ts',
    'if (Math.min(names.size, sources.size) < objects.length) {',
    'if (false) {',
  ),
  rule(
    'sums of counts',
    'contents/read-manifest.ts',
    '.every(Number.isSafeInteger)',
    '.every(() => true)',
  ),
  rule(
    'the size limit of an object',
    'contents/read-object.ts',
    'if (bytes > limit) throw tooLong',
    '',
  ),
  rule(
    'the stored digest of an object',
    'contents/read-object.ts',
    'if (counts.stored.bytes !== object.bytes || counts.stored.sha256 !== object.sha256) {',
    'if (false) {',
  ),
  rule(
    'the digest of the archive in an object',
    'contents/read-object.ts',
    'if (counts.content.bytes !== object.tar_bytes || counts.content.sha256 !== object.tar_sha256) {',
    'if (false) {',
  ),
  rule(
    'paths of a saved stack',
    'restore/read-saved.ts',
    'const path = text.refine(isHostPath)',
    'const path = text',
  ),
  rule(
    'overlays of a saved stack',
    'restore/read-saved.ts',
    'const environment = text.regex(/^[a-z0-9][a-z0-9_-]{0,62}$/)',
    'const environment = text',
  ),
  rule(
    'the record of another stack',
    'restore/read-saved.ts',
    'return saved?.name === name ? saved : undefined',
    'return saved',
  ),
  rule(
    'the directory that a saved stack names',
    'restore/plan-restore.ts',
    "const isPlaced = reachOf(caller) === 'host' || saved.directory === usual",
    'const isPlaced = true',
  ),
  rule(
    'volumes of a restored stack',
    'restore/volume-owners.ts',
    'await checkReferences(user, [reference], onHost, ports)',
    '',
  ),
  rule(
    'networks of a restored stack',
    'restore/plan-restore.ts',
    'await checkNetworks(plan, caller, engine, ports)',
    '',
  ),
  rule(
    'a volume of another stack, or of none',
    'restore/volume-owners.ts',
    'if (refusal) throw refusal',
    '',
  ),
  rule(
    'a volume of the installation in a stack',
    'restore/volume-owners.ts',
    "owner.kind === 'installation' || ",
    '',
  ),
  rule(
    'ownership records of restored volumes',
    'restore/volume-owners.ts',
    'claimAll(ownVolumes(plan, stack.id), stack, ports)',
    'Promise.resolve()',
  ),
  rule(
    'objects of another stack stay its own',
    'restore/volume-owners.ts',
    "reference.declared !== 'external' && isOwn",
    'true',
  ),
]

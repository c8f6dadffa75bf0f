import type { Collection } from '../collection.ts'
import type { BackupJob } from './job.ts'
import type { ObjectForm } from './manifest.ts'
import type { BackupRun } from './run.ts'
import type { BackupTarget } from './target.ts'

/** Backup jobs by id, encrypted at rest. No two have the same name, whatever the case of its letters. */
export type BackupJobs = Collection<BackupJob>

/** Which runs are asked for. */
export interface RunQuery {
  jobId?: string
  /** Only those on these hosts. */
  hosts?: readonly string[]
  limit: number
}

/** Runs of backups and restores, encrypted at rest. */
export interface BackupRuns {
  find(id: string): Promise<BackupRun | undefined>
  /** Newest first. */
  list(query: RunQuery): Promise<BackupRun[]>
  create(run: BackupRun): Promise<void>
  /** Replaces the record whole. False when it was removed, or was written under a later lease (`fence`) meanwhile. */
  save(run: BackupRun): Promise<boolean>
  /** Those that run, of any process, alive or not, and those that left containers stopped. */
  listUnfinished(): Promise<BackupRun[]>
  remove(id: string): Promise<void>
}

/** Bytes as they come. What is not asked for is not read; who breaks off ends it. */
export type Bytes = AsyncIterable<Uint8Array>

/** Reaches the places where backups are kept. */
export interface BackupTargets {
  /** Throws a `Failure` 422 for a place that must not be reached, 500 for one that does not answer. */
  open(target: BackupTarget, signal?: AbortSignal): Promise<OpenTarget>
  /** Where a name is, for people: a path, `s3://…`, `sftp://…`. No secret is in it. */
  location(target: BackupTarget, name: string): string
}

/**
 * A place that was reached. Names are relative, with slashes, without `..`. Every method throws a `Failure` 500 that says
 * what happened: it is full, gone, cut, refuses.
 */
export interface OpenTarget {
  /**
   * Stores an object. It can be seen when it is whole; of one that was cut, by an error of the source or by the signal,
   * nothing is left. An object of that name is replaced.
   */
  put(name: string, content: Bytes, signal: AbortSignal): Promise<{ bytes: number }>
  /** An object's bytes, from an offset on. Throws a `Failure` 404 for one that is not there. */
  get(name: string, options?: { offset?: number; signal?: AbortSignal }): Promise<Bytes>
  /** Objects below a directory, at any depth, and what is left there of any that were cut, in order of name. */
  list(directory: string, signal?: AbortSignal): Promise<{ name: string; bytes: number }[]>
  /** Those that are gone already are done. Directories that become empty go too. */
  remove(names: string[], signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Compresses and encrypts archives, in open formats: zstd (RFC 8878) or gzip (RFC 1952), then age. */
export interface BackupCodec {
  /** How new archives are compressed here. */
  readonly compression: 'zstd' | 'gzip'
  /** What is to be stored of some content. */
  pack(content: Bytes, form: ObjectForm, signal?: AbortSignal): Coded
  /** The content of what was stored. Reading it throws a `Failure` 422 when it was cut short, changed, or is for another key. */
  unpack(stored: Bytes, form: ObjectForm, signal?: AbortSignal): Coded
}

/** Bytes on their way through a codec. */
export interface Coded {
  stream: Bytes
  /** Of what went in and what came out: as it was packed, the content and what is stored. Complete at the stream's end. */
  counts(): { content: ByteCount; stored: ByteCount }
}

export interface ByteCount {
  bytes: number
  /** SHA-256, hex. */
  sha256: string
}

/** The service's own state. */
export interface SystemArchive {
  /** All of it as one tar archive: the store's records and the keys kept outside of it. */
  read(signal: AbortSignal): Bytes
}

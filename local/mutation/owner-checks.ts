import { type Mutation, one } from './mutation.ts'

const adoption = ['functions/stacks/adopt', 'functions/compose-projects']

/** The checks of what a stack may take over: running projects, volumes, networks, namespaces. */
export const ownerChecks: Mutation[] = [
  one(
    'adoption: labels from an image',
    'functions/core/adopt/find-running.ts',
    'return image.labels?.[label.configHash] !== labels[label.configHash]',
    'return true',
    adoption,
  ),
  one(
    'adoption: an image that is gone',
    'functions/core/adopt/find-running.ts',
    'if (!image) return !isUp(state)',
    'if (!image) return true',
    adoption,
  ),
  one(
    'adoption: what runs is inspected',
    'functions/core/adopt/find-running.ts',
    "if (reach === 'stack') await checkRunning(project, engine)",
    '',
    adoption,
  ),
  one(
    'adoption: the place that labels name',
    'functions/core/adopt/find-running.ts',
    'if (refusal) throw refusal',
    '',
    adoption,
  ),
  one(
    'adoption: the directory of another stack',
    'functions/core/adopt/place.ts',
    'if (same) return',
    'if (false) return',
    adoption,
  ),
  one(
    'adoption: the directory of a stack of that name',
    'functions/core/adopt/place.ts',
    'if (workingDir !== own) {',
    'if (false) {',
    adoption,
  ),
  one(
    'adoption: directories in each other',
    'functions/core/adopt/place.ts',
    'if (near) return',
    'if (false) return',
    adoption,
  ),
  one(
    'adoption: compose files outside',
    'functions/core/adopt/place.ts',
    'return file === undefined ? undefined :',
    'return file !== 0 ? undefined :',
    adoption,
  ),
  one(
    'adoption: a directory that is a link',
    'functions/core/adopt/running-policy.ts',
    'if (!(await engine.isRealDirectory(workingDir))) {',
    'if (false) {',
    adoption,
  ),
  one(
    'adoption: what containers reach',
    'functions/core/adopt/running-policy.ts',
    'if (reached) throw',
    'if (false) throw',
    adoption,
  ),
  one(
    'adoption: volumes that are directories of the host',
    'functions/core/adopt/running-policy.ts',
    'if (key) throw',
    'if (false) throw',
    adoption,
  ),
  one(
    'adoption: attributes that are not known',
    'functions/core/adopt/container-reach.ts',
    'rule ? rule(value, access, place) : isEmpty(value)',
    'rule ? rule(value, access, place) : true',
    ['functions/core/adopt'],
  ),
  one(
    'adoption: what runs is checked again at the end',
    'functions/core/adopt/complete.ts',
    'await getAdoptable(adoption.stack, host, reach, ports)',
    "await getAdoptable(adoption.stack, host, 'host', ports)",
    adoption,
  ),
]

import type { Section } from './attribute.ts'

/**
 * Attributes of a service for which the loader reads files, or that need a program besides the
 * Engine.
 */
export const serviceFiles: Section = {
  title: 'Files that the loader reads',
  at: 'services.*',
  groups: [
    {
      attributes: [
        ...['env_file', 'env_file.*.path', 'env_file.*.format', 'env_file.*.required'],
        ...['label_file', 'extends', 'extends.file', 'extends.service'],
      ],
      derived: 'Files of the stack, never of this machine or the host',
      by: 'this service',
      who: 'by value',
      values: 'files of the stack',
      allowed: [
        'env_file: [{path: a.env, format: raw, required: true}], label_file: labels',
        'extends: {file: other.yaml, service: other}',
      ],
      refused: [
        'env_file: [{path: /etc/environment, format: raw, required: true}]',
        'env_file: [{path: /root/.env, format: raw, required: false}]',
        'label_file: ../labels',
        'extends: {file: ../base.yaml, service: other}',
      ],
    },
    {
      attributes: ['models', 'models.*.endpoint_var', 'models.*.model_var'],
      derived: 'A model served by a program next to the Engine',
      by: 'nothing',
      who: 'unsupported',
      refused: ['models: [m]', 'models: {m: {endpoint_var: A, model_var: B}}'],
    },
    {
      attributes: ['provider.type', 'provider.options'],
      derived: 'A program on the machine: docker compose runs `docker-<type>`',
      by: 'nothing',
      who: 'unsupported',
      refused: ['provider: {type: x, options: {a: b}}'],
    },
  ],
}

/** Top-level attributes, except those of services, networks, volumes, secrets and configs. */
export const topLevel: Section = {
  title: 'The file',
  at: '',
  groups: [
    {
      attributes: ['name', 'version'],
      derived: 'The project name must be that of the stack; `version` is ignored',
      by: 'this service',
      who: 'anyone',
      allowed: ['name: shop, version: "3"'],
    },
    {
      attributes: [
        'include',
        'include.*.path',
        'include.*.env_file',
        'include.*.project_directory',
      ],
      derived: 'Files of the stack; their relative paths start at another directory',
      by: 'this service',
      who: 'by value',
      values: 'files of the stack',
      allowed: ['include: [{path: more.yaml, env_file: a.env, project_directory: sub}]'],
      refused: [
        'include: [{path: /srv/x.yaml, env_file: a.env, project_directory: sub}]',
        'include: [{path: more.yaml, env_file: /etc/environment, project_directory: sub}]',
        'include: [{path: more.yaml, env_file: a.env, project_directory: /etc}]',
      ],
    },
    {
      attributes: ['name', 'model', 'context_size', 'runtime_flags'].map(
        (key) => `models.*.${key}`,
      ),
      derived: 'A model served by a program next to the Engine',
      by: 'nothing',
      who: 'unsupported',
      refused: ['models: {m: {name: m, model: ai/x, context_size: 1, runtime_flags: [a]}}'],
    },
  ],
}

/**
 * What a release has besides the built program, its packages and the papers about them. Pages that its pages link to
 * are among it, where they lie in the repository, so that the links lead somewhere.
 */
export const releaseContents = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'CHANGELOG.md',
  'README.md',
  'README.zh-CN.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'bench/README.md',
  'bin',
  'deploy',
  'docs',
  'scripts/build.mjs',
  'scripts/command.mjs',
  'scripts/install.mjs',
  'scripts/prepare.mjs',
  'scripts/progress.mjs',
  'scripts/root.mjs',
  'scripts/start.mjs',
]

import { ensureBuilt, isBuilt } from './build.mjs'
import { canRun, ensureInstalled } from './install.mjs'
import { giveUp, isRelease } from './root.mjs'

/**
 * Sees to it that packages and program are there. In production, and of a release ever, nothing is installed or built
 * while starting, which would need a network, write access and memory that a service may not have: there it ends with
 * the command to run.
 * @param {('server' | 'web')[]} [halves] what is needed of the program
 */
export async function prepare(halves = ['server', 'web']) {
  if (!isRelease && process.env.NODE_ENV?.trim() !== 'production') {
    await ensureInstalled()
    await ensureBuilt(halves)
    return
  }
  const faults = [
    ...(canRun() ? [] : ['依赖包没有安装，或与 package-lock.json 不符']),
    ...(halves.every(isBuilt) ? [] : ['程序没有构建，或构建之后代码有变化']),
  ]
  if (faults.length > 0 && isRelease) giveUp('没有启动：发布包不完整，请重新解开一份（先用 sha256sum -c 核对）。')
  if (faults.length > 0)
    giveUp(
      `没有启动：${faults.join('；')}。\n生产环境（NODE_ENV=production）启动时不安装也不构建，请先在本目录运行：\n\n  npm ci --include=dev && npm run build\n`,
    )
}

const browsers: [RegExp, string][] = [
  [/MicroMessenger/, '微信'],
  [/Edg\//, 'Edge'],
  [/QQBrowser/, 'QQ 浏览器'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** What a browser calls itself, in words people know: `Windows 上的 Edge`. */
export function deviceName(agent: string): string {
  const find = (list: [RegExp, string][]) => list.find(([sign]) => sign.test(agent))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  return browser && system ? `${system} 上的 ${browser}` : (browser ?? system ?? '未知设备')
}

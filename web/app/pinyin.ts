/**
 * How the characters of screen titles are read, so that they can be found by pinyin. A character that is missing is
 * found by itself only; a test names those of the screens.
 */
const readings =
  'yu与 zhuan专 ye业 ge个 zhong中 ju举 ren人 jia价 ti体 zuo作 xin信 xiu修 zhi值 ke克 fen分 lie列 ze则 dao到 li力 ban办 li励 dan单 can参 fa发 hao号 yuan员 hui回 tu图 quan圈 xing型 ji基 zeng增 bei备 da大 jiang奖 zi子 xue学 shen审 mi密 dao导 ping屏 bu布 shi师 lu录 xin心 zhi志 xi息 qing情 cheng成 wo我 pi批 zhao找 bao报 huan换 zhi指 ju据 cao操 gai改 jiao教 shu数 xin新 ri日 ming明 quan权 ban板 gou构 xi析 guo果 jia架 cha查 biao标 xiao校 he核 mo模 bu步 bi毕 sha沙 liu流 xiao消 ban班 li理 sheng生 yi疑 deng登 de的 gai盖 pan盘 kan看 ma码 chu础 cheng程 qian签 guan管 lei类 xi系 su素 ji级 zu组 zhi织 jie结 tong统 ji绩 bian编 zhi置 neng能 se色 xing行 bu补 biao表 fu覆 gui规 jue角 jing警 ji计 she设 zheng证 ping评 xiang详 shuo说 ke课 zhang账 zhi质 zhuan转 ji辑 song送 pei配 wen闻 yu阈 xian限 yuan院 long隆 ye页 yu预 shou首 yan验 zhou骤 she社 tuan团 xi习 huo活 dong动 tu途 jing竞 sai赛 ti题 yong用 quan全 bu部 men门 zong总 lan览 she涉 wei委 dai代 jian检 ce测 gong公 shi示 ming名 yin隐 si私 gao告 zhi知 tai态 yun运 zhuang状 kou口 ling令 tong同 yi一 shen身 fen份 ren认 xu序 yao钥 shi事 jian件 tui推 tou投 di递 ji记 ji集 tong通 dao道 ge各 ti提 gong供 gei给 sheng省 zi字'
const table = new Map(readings.split(' ').map((one) => [one.slice(-1), one.slice(0, -1)]))

/**
 * The reading of a title in whole, `kechengliebiao`, and its initials, `kclb`. Letters and digits stand for themselves.
 */
function pinyinOf(text: string): { whole: string; initials: string } {
  const syllables = Array.from(text.toLowerCase(), (sign) => table.get(sign) ?? sign)
  return { whole: syllables.join(''), initials: syllables.map((syllable) => syllable[0] ?? '').join('') }
}

/** Whether something typed means a title: a part of it, of its reading, or its initials from any character on. */
export function meansTitle(title: string, typed: string): boolean {
  const needle = typed.toLowerCase()
  if (title.toLowerCase().includes(needle)) return true
  if (!/^[a-z0-9]+$/.test(needle)) return false
  const { whole, initials } = pinyinOf(title)
  return whole.includes(needle) || initials.includes(needle)
}

/** The characters of a text that have no reading here. */
export const withoutReading = (text: string): string[] =>
  Array.from(text).filter((sign) => /[\u4e00-\u9fff]/.test(sign) && !table.has(sign))

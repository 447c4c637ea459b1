/** The version of the text below; those that a school publishes itself count on from it. */
export const firstNoticeVersion = 1

/** What a school tells of itself in its notice. */
interface NoticeSchool {
  schName: string
  address: string
  phone: string
}

/**
 * The privacy notice of a school that has not published one of its own, by the Personal Information Protection Law
 * (articles 13 to 17, 44 to 50): who handles what, for what, for how long, and what people may ask for.
 */
export const firstNotice = ({ schName, address, phone }: NoticeSchool): string => `一、谁处理您的信息
${schName}（以下称“学校”）为开展第二课堂育人工作使用本平台，是您个人信息的处理者。${contactOf(address, phone)}

二、处理哪些信息
1. 基本信息：姓名、学号或工号、性别、学院、专业、班级、年级、政治面貌、照片。
2. 联系方式与证件：手机号、邮箱、证件号码、出生日期、家庭住址。其中证件号码等属于敏感个人信息，加密保存，页面和导出文件中隐去大部分，只有获得授权的人说明原因后才能查看，每次查看都有记录。
3. 活动记录：报名、签到（启用定位签到时含签到时的位置）、参与结果、奖项、补录材料、学时与学分、诚信记录、成绩单。
4. 使用记录：登录时间、网络地址、浏览器类型、操作记录。

三、为什么处理
用于第二课堂活动的组织、审批、签到、学时认定、公示、成绩单签发、毕业审核与统计，以及保障账号和系统安全。这些是学校履行教育管理职责所必需的；超出上述目的使用时，会另行征得您的同意。

四、谁能看到
学校内承担相应工作的人员，在其职责和管理范围内查看。公示期内，与您有关的结果会以隐去部分字符的姓名和学号向校内公开。您出示成绩单编号时，查验人可以核对成绩单的真伪。除法律规定外，学校不向校外提供您的信息；软件的运维方只按学校的要求提供技术支持。

五、保存多久
在校期间及毕业后学籍档案需要的期限内保存；操作记录按《网络安全法》至少保存六个月。期限届满后删除或作匿名处理。信息保存在境内。

六、您的权利
您可以在“账号与设备”中查看登录设备并下载本人的全部数据；资料有误时，可联系学院更正；对公示结果有异议时，可以提出质疑。您还可以要求解释、限制或删除超出上述目的的处理。未满十四周岁的，由监护人代为行使。

七、更新
内容有重大变化时，学校会发布新版本，并在您登录时请您重新阅读。`

const contactOf = (address: string, phone: string): string => {
  const ways = [address && `地址：${address}`, phone && `电话：${phone}`].filter(Boolean)
  return ways.length > 0 ? `${ways.join('；')}。` : '联系方式见学校网站，也可联系所在学院团委。'
}

#include "CActionLog.h"

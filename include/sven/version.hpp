#pragma once

#include "sven/version.h"

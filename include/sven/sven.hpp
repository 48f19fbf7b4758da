#pragma once

#include "sven/build.hpp"
#include "sven/cross_validation.hpp"
#include "sven/device.hpp"
#include "sven/elastic_net.hpp"
#include "sven/error.hpp"
#include "sven/io.hpp"
#include "sven/matrix.hpp"
#include "sven/path.hpp"
#include "sven/predict.hpp"
#include "sven/random.hpp"
#include "sven/svm.hpp"
#include "sven/version.hpp"
